import { SaxesParser } from "saxes";
import { yieldIfBusy } from "../database/event-loop.ts";

/** An element of XML; names without prefixes. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

const MAX_DEPTH = 40;
/** A page of 100 domains has some 500. */
const MAX_ELEMENTS = 100_000;
/** Characters that are parsed between two chances for other requests. */
const PIECE_LENGTH = 65_536;

/**
 * Parses a document; undefined if it is not XML, is a page of HTML, nests deep, is huge, or declares a
 * DOCTYPE.
 */
export async function parseXml(text: string): Promise<XmlElement | undefined> {
  if (/<!DOCTYPE/i.test(text)) return undefined;
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let elements = 0;
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on("opentag", ({ name, attributes }) => {
    const ownName = name.slice(name.indexOf(":") + 1);
    const element: XmlElement = { name: ownName, attributes, children: [], text: "" };
    open.at(-1)?.children.push(element);
    elements += 1;
    if (open.push(element) > MAX_DEPTH || elements > MAX_ELEMENTS)
      throw new RangeError("Too large");
  });
  parser.on("closetag", () => open.pop());
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      parser.write(text.slice(at, at + PIECE_LENGTH));
      await yieldIfBusy();
    }
    parser.close();
  } catch {
    return undefined;
  }
  const [document] = root.children;
  return document?.name.toLowerCase() === "html" ? undefined : document;
}

/** The first element along a path of names below a document's root, such as `reply/code`. */
export function findElement(from: unknown, path: string): XmlElement | undefined {
  let element = rootOf(from);
  for (const name of path.split("/")) {
    element = element?.children.find((child) => child.name === name);
  }
  return element;
}

/** The trimmed text of the first element along a path; undefined without one. */
export function elementText(from: unknown, path: string): string | undefined {
  return findElement(from, path)?.text.trim();
}

export function rootOf(parsed: unknown): XmlElement | undefined {
  return isElement(parsed) ? parsed : undefined;
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === "object" && value !== null && "children" in value;
}
