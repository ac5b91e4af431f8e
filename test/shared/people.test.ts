import { describe, expect, test } from "bun:test";
import { parseEmail } from "../../src/shared/people.ts";
import { parseMailServerChange } from "../../src/shared/reminders.ts";

const GOOD = `ada@example.com o'neil+names@mail.example.co.uk root@localhost josé@exämple.de
  用户@例子.公司 a.b-c_d/e=f@x-y.example`.split(/\s+/);

const BAD = `<script>@x ../../x@y *@* mailto:a@x.test a%0d%0a@x.test a<b>@x.test a@-x.test a@x..test
  a@b@x.test "a"@x.test a@[127.0.0.1] a@x.test,b@x.test a@${"x".repeat(253)}`.split(/\s+/);

const mail = (testTo: string) => {
  const server = { host: "mail.example", port: 25, tls: "off", user: null };
  return parseMailServerChange({ ...server, sender: `Names <${testTo}>`, testTo });
};

describe("an e-mail address", () => {
  test.each(GOOD)("may be %s, of a person and in reminders", (given) => {
    expect(parseEmail(given)).toBe(given);
    expect(mail(given).testTo).toBe(given);
  });

  test.each([...BAD, "a b@x.test"])("is never %s, of a person or in reminders", (given) => {
    expect(() => parseEmail(given)).toThrow();
    expect(() => mail(given)).toThrow();
  });
});
