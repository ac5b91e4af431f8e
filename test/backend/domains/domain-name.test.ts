import { describe, expect, test } from "bun:test";
import { parseDomainName, parseOwnedName } from "../../../src/backend/domains/domain-name.ts";

function codeOf(text: string): string | null {
  const name = parseDomainName(text);
  return "code" in name ? name.code : null;
}

describe("parseDomainName", () => {
  test.each([
    ["example.com", "example.com", "example.com"],
    ["  EXAMPLE.Com. ", "example.com", "example.com"],
    ["BÜCHER.example", "xn--bcher-kva.example", "bücher.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example", "bücher.example"],
    ["faß.de", "xn--fa-hia.de", "faß.de"],
    ["例え。テスト", "xn--r8jz45g.xn--zckzah", "例え.テスト"],
    ["例え.テスト。", "xn--r8jz45g.xn--zckzah", "例え.テスト"],
    ["exaｍple．com", "example.com", "example.com"],
    ["نامه‌ای.com", "xn--mgba3gch31f060k.com", "نامه‌ای.com"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai", "пример.рф"],
    ["xn--ls8h.la", "xn--ls8h.la", "💩.la"],
    ["1.2.3.com", "1.2.3.com", "1.2.3.com"],
    ["4you.co.uk", "4you.co.uk", "4you.co.uk"],
    ["ab--cd.com", "ab--cd.com", "ab--cd.com"],
    ["a\u200bb.com", "ab.com", "ab.com"],
    ["https://www.example.com/shop?q=1#top", "example.com", "example.com"],
    [" HTTPS://ada:secret@EXAMPLE.com.:8443/ ", "example.com", "example.com"],
    ["//www.bücher.example", "xn--bcher-kva.example", "bücher.example"],
    ["example.com:443", "example.com", "example.com"],
    ["www.example.com/", "example.com", "example.com"],
    ["www.example.com", "www.example.com", "www.example.com"],
    ["https://www.com/", "www.com", "www.com"],
  ])("reads %j", (text, name, unicode) => {
    expect(parseDomainName(text)).toEqual({ name, unicode });
  });

  test("allows labels of 63 octets and names of 253, and none more", () => {
    const label = "a".repeat(63);
    expect(codeOf(`${label}.com`)).toBeNull();
    expect(codeOf(`${label}a.com`)).toBe("label-length");
    const longest = `${label}.${label}.${label}.${"a".repeat(61)}`;
    expect(longest).toHaveLength(253);
    expect(codeOf(longest)).toBeNull();
    expect(codeOf(`${longest}a`)).toBe("length");
    expect(codeOf(`${"ü".repeat(60)}.com`)).toBe("label-length");
    expect(codeOf("a".repeat(100_000))).toBe("length");
  });

  test.each([
    ["", "required"],
    ["https://", "not-a-name"],
    ["https://a.example, https://b.example", "not-a-name"],
    ["example.com:abc", "not-a-name"],
    ["ada@example.com", "address"],
    ["mailto:ada@example.com", "address"],
    ["https://192.0.2.1/", "numeric"],
    ["https://[::1]:80/", "numeric"],
    ["2001:db8::1", "numeric"],
    ["https://localhost/", "one-label"],
    ["ex%41mple.com", "characters"],
    ["exam ple.com", "characters"],
    ["exam\tple.com", "characters"],
    ["exam\u0000ple.com", "characters"],
    ["example\\com", "characters"],
    ["foo_bar.com", "characters"],
    ["*.example.com", "characters"],
    ["a^b.com", "characters"],
    ["example", "one-label"],
    ["com.", "one-label"],
    [".", "empty-label"],
    [".example.com", "empty-label"],
    ["example..com", "empty-label"],
    ["example.com..", "empty-label"],
    ["-example.com", "hyphen"],
    ["example-.com", "hyphen"],
    ["127.0.0.1", "numeric"],
    ["0x7f.1", "numeric"],
    ["example.0x1", "numeric"],
    ["example.123", "numeric"],
    ["１２７.０.０.１", "numeric"],
    ["xn--zzzzzz.com", "idna"],
    ["xn--.com", "idna"],
    ["xn--a.com", "idna"],
    ["a\u200db.com", "idna"],
    ["\ud800.com", "idna"],
  ])("refuses %j as %s", (text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});

describe("parseOwnedName", () => {
  test.each(["co.uk", "CO.UK.", "com.au", "公司.cn", "anything.ck", "https://co.uk/"])(
    "refuses %j, under which others register",
    (text) => {
      const name = parseOwnedName(text);
      expect(name).toMatchObject({ code: "public-suffix" });
      expect("detail" in name && name.detail).toContain("for example example.");
    },
  );

  test.each([
    "4you.co.uk",
    "www.ck",
    // Companies own these, whatever they let others have below them.
    "github.io",
    "blogspot.com",
    "example.unknown",
    "www.example.com",
  ])("takes %j", (text) => {
    expect(parseOwnedName(text)).toEqual(parseDomainName(text));
  });
});
