import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "bun:test";
import { useState } from "react";
import { TagBox } from "../../../src/client/ui/text-box.tsx";
import { press } from "../../support/elements.ts";

afterEach(cleanup);

/** The box of a form that holds the value. */
function Tags({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <TagBox label="Tags" value={value} suggestions={[]} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}

test("a tag stays while another one is typed that begins like it", () => {
  render(<Tags initial="shop, web" />);
  const box = screen.getByLabelText("Tags");
  const value = () => screen.getByRole("status").textContent;
  for (const text of ["s", "shop", "shop-", "shop-eu"])
    fireEvent.change(box, { target: { value: text } });
  expect(value()).toBe("shop, web, shop-eu");
  fireEvent.keyDown(box, { key: "Enter" });
  expect(value()).toBe("shop, web, shop-eu");
  // Taken back letter by letter, it leaves nothing behind.
  for (const text of ["shop", ""]) fireEvent.change(box, { target: { value: text } });
  expect(value()).toBe("shop, web, shop-eu");
  fireEvent.keyDown(box, { key: "Backspace" });
  expect(value()).toBe("shop, web");
});

test("a tag is gone that is removed while another is typed, without the focus", () => {
  render(<Tags initial="shop, web" />);
  const box = screen.getByLabelText("Tags");
  fireEvent.change(box, { target: { value: "eu" } });
  press("Remove tag shop");
  fireEvent.change(box, { target: { value: "de" } });
  expect(screen.getByRole("status").textContent).toBe("web, eu, de");
});

test("Enter that ends a conversion of an input method makes no tag yet", () => {
  render(<Tags initial="" />);
  const box = screen.getByLabelText<HTMLInputElement>("Tags");
  fireEvent.change(box, { target: { value: "東京" } });
  fireEvent.keyDown(box, { key: "Enter", isComposing: true });
  expect(box.value).toBe("東京");
  fireEvent.keyDown(box, { key: "Enter" });
  expect(box.value).toBe("");
});
