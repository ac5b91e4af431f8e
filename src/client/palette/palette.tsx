import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../session/session-store.ts";
import { explain } from "../session/failure.tsx";
import { paletteOpen } from "../session/palette-state.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type Command, useCommands } from "./commands.ts";
import "../common.ts";
import "../common-editing.ts";
import "./palette.css";

/** A dialog over any screen: goes to any domain or saved view, and starts any action. */
export default function Palette() {
  const { state } = useSession();
  const allowed = state === "signed-in";
  useEffect(() => {
    if (!allowed) close();
  }, [allowed]);
  return (
    allowed && (
      <Dialog heading="Search or jump to" onClose={close}>
        <Commands />
      </Dialog>
    )
  );
}

function close() {
  paletteOpen.set(false);
}

/** A box and the list of what matches: the ARIA pattern "combobox with a listbox". */
function Commands() {
  const id = useId();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const { groups, loading, error } = useCommands(text);
  const commands = groups.flatMap((group) => group.commands);
  const [chosen, setChosen] = useState("");
  // The chosen command may be gone: then the first one is active.
  const active = commands.find(({ key }) => key === chosen) ?? commands[0];
  const optionId = (key: string) => `${id}-${key}`;

  useEffect(() => {
    const option = active && document.getElementById(`${id}-${active.key}`);
    option?.scrollIntoView({ block: "nearest" });
  }, [id, active]);

  function run(command: Command) {
    close();
    command.run(navigate);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const at = active ? commands.indexOf(active) : 0;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined) setChosen(commands.at(next % commands.length)?.key ?? "");
    else if (event.key === "Enter" && active) run(active);
    else return;
    event.preventDefault();
  }

  return (
    <div className="palette">
      <div className="palette-box">
        <input
          className="control"
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={commands.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active.key)}
          placeholder="Domain, view or action"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen("");
          }}
          onKeyDown={onKeyDown}
        />
        <Button look="quiet" onClick={close}>
          Close
        </Button>
      </div>
      <div id={id} className="palette-list" role="listbox" aria-label="Results">
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <b aria-hidden="true">{group.label}</b>
            {group.commands.map((command) => (
              <div
                key={command.key}
                id={optionId(command.key)}
                className="option"
                role="option"
                aria-selected={command === active}
                tabIndex={-1}
                onPointerMove={() => setChosen(command.key)}
                onClick={() => run(command)}
              >
                <span>
                  {command.label}
                  {command.ascii && <AsciiName name={command.ascii} unicode={command.label} />}
                </span>
                {command.note && <small>{command.note}</small>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <output className="note palette-foot">
        {error !== undefined && explain(error)}
        {loading && "Searching…"}
      </output>
    </div>
  );
}
