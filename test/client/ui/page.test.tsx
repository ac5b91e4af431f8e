import { act, fireEvent, render, screen } from "@testing-library/react";
import { describe, test } from "bun:test";
import { useState } from "react";
import { useFocusFallback } from "../../../src/client/ui/page.ts";
import { expectFocus } from "../../support/elements.ts";

function List() {
  useFocusFallback();
  const [chosen, setChosen] = useState(false);
  return (
    <div>
      <input type="checkbox" aria-label="Select all" />
      <table>
        <tbody>
          {["a.example", "b.example"].map((name) => (
            <tr key={name}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Select ${name}`}
                  checked={chosen}
                  onChange={() => setChosen(true)}
                />
              </td>
              <th scope="row">
                <a href={`/domains/${name}`}>{name}</a>
              </th>
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && <button onClick={() => setChosen(false)}>Keep</button>}
    </div>
  );
}

describe("useFocusFallback", () => {
  test("gives the focus of a button that goes to the row that had it last", async () => {
    render(<List />);
    const box = screen.getByRole("checkbox", { name: "Select b.example" });
    act(() => box.focus());
    fireEvent.click(box);
    const keep = screen.getByRole("button", { name: "Keep" });
    act(() => keep.focus());
    fireEvent.click(keep);
    await expectFocus(() => screen.getByRole("link", { name: "b.example" }));
  });
});
