import { describe, expect, test } from "bun:test";
import { findNameParts } from "../../../../src/backend/import/columns/find-name-parts.ts";
import { findFormat } from "../../../../src/backend/import/reading/table-format.ts";
import { importAll } from "../../../support/import-source.ts";

function partsOf(text: string) {
  return findNameParts(findFormat(text, true), text, true);
}

describe("findNameParts", () => {
  test.each([
    ["SLD,TLD,ExpDate\na,com,2027-01-05\nb,co.uk,2027-01-05\n", 0, 1],
    ["Domain,Extension\na,.com\nb,co.uk\n", 0, 1],
    ["Name,TLD\na,com\n", 0, 1],
    ["Domain Name,Ext\na,com\n", 0, 1],
    ["Domain;Endung;Ablaufdatum\nbücher;de;31.12.2027\n", 0, 1],
    ["Expires,TLD,Second-Level Domain\n2027-01-05,рф,пример\n2027-01-05,xn--p1ai,b\n", 2, 1],
    ["domainExtension\tdomainName\ncom\ta\n", 1, 0],
    ["Domain,SLD,TLD\na,a,com\nb,b,com\n", 1, 2],
    ["SLD,TLD,Website\na,com,www.a.com\n", 0, 1],
    ["SLD,TLD\na.co,uk\n", 0, 1],
    ["Domain,TLD\na,com\nb.co,uk\n", 0, 1],
    ["Domain,TLD\na,com\nb.com,com\n", 0, 1],
    ["SLD,TLD\na,com\nb,com\nc,com\nd,com\nbad one,com\ne,\n", 0, 1],
    ["Name,Domain,TLD\nAda,a,com\nBob,b,com\n", 1, 2],
  ])("finds them in %j", (text, label, suffix) =>
    expect(partsOf(text)).toEqual({ label, suffix, sure: true }),
  );

  test.each([
    ["a name beside its suffix", "Domain,TLD\nexample.com,com\nexample.co.uk,co.uk\n"],
    ["a name beside another suffix", "Domain,TLD\nexample.com,org\nexample.net,de\n"],
    ["a name beside both", "Domain Name,SLD,TLD\na.com,a,com\nb.com,b,com\n"],
    ["any name beside both", "Name,SLD,TLD\nA.com,a,com\nb.com,b,.com\n"],
    ["no suffixes", "Domain,TLD,Notes\na,1,x\nb,2,y\n"],
    ["yes or no", "Domain,TLD\na,-\nb,\n"],
    ["labels with blanks", "Domain,TLD\nmy shop,com\nyour shop,com\n"],
    ["addresses", "Name,TLD\npat@x.com,com\n"],
    ["no header", "a,com,x.com\nb,com,y.com\n"],
    ["no header for the suffix", "Domain,Zone type\na,com\n"],
    ["a secret", "Domain,TLD code key\na,com\n"],
  ])("finds none in %s: %j", (_, text) => expect(partsOf(text)).toBeNull());

  test.each(["Name,Extension\nada,home\nbob,work\n", "Domain,TLD,TLD\na,com,net\n"])(
    "is not sure of %j",
    (text) => expect(partsOf(text)).toMatchObject({ sure: false }),
  );

  test.each([
    ["dynadot", "Domain,TLD,Expiration Date,Renewal Status,Domain Note\na,com,2027/01/05,,\n"],
    [null, "Domain\na\nb.com\n"],
  ])("is not asked for the layout %p: %j", async (layout, text) => {
    const { analysis } = await importAll(text);
    expect(analysis.layout).toBe(layout);
    expect(analysis.source).not.toHaveProperty("nameParts");
  });
});
