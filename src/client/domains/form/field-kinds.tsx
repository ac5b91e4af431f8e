import type { ReactNode } from "react";
import { DECISIONS, type Domain, type DomainInput, type Money } from "../../../shared/domain.ts";
import {
  type Field as DomainField,
  type FieldKind,
  type FieldOf,
  fieldsOf,
  kindsByField,
} from "../../../shared/fields.ts";
import { FILTERS } from "../../../shared/filter.ts";
import { isCurrencyCode, MAX_YEARS } from "../../../shared/money.ts";
import { foldLabel, splitTags, UUID } from "../../../shared/text.ts";
import { readUrlHost } from "../../../shared/url-host.ts";
import { TagBox } from "../../ui/text-box.tsx";
import { dayFault, formatDayDigits } from "../../ui/day-box.tsx";
import { Field, type Options } from "../../ui/field.tsx";
import { formatPrice, parsePrice } from "../../ui/money.ts";
import {
  type Controls,
  CustomFields,
  customText,
  dayBox,
  moneyBoxes,
  PersonBox,
  readCustomText,
  select,
  type Surroundings,
  textBox,
} from "./field-controls.tsx";

/** Fields that are unknown for most domains, and so shown only where they are known. */
export const RARE_FIELDS: readonly DomainField[] = fieldsOf(
  "status",
  "day",
  "flag",
  "money",
  "hosts",
  "custom",
).filter((field) => !["autoRenew", "archivedOn", "doneFor"].includes(field));

export type DomainFormField = keyof DomainInput;

type Texts = readonly string[];

interface Kind<V, I> {
  /** The texts of the controls for a value. */
  texts: (value: V, domain: Domain) => Texts;
  /** The value in a request, from texts without a fault. */
  input: (texts: Texts) => I;
  /** A message for each bad text, null for others; `base` are the texts before the edit. */
  faults?: (texts: Texts, base: Texts) => readonly (string | null)[];
  /** Formats a text for people; by default, as it is. */
  inWords?: (value: string) => string;
  controls: (controls: Controls, given: Surroundings) => ReactNode;
  isWide?: true;
}

type Kinds = {
  readonly [K in Exclude<FieldKind, "handled">]: Kind<
    Domain[FieldOf<K>],
    Required<DomainInput>[FieldOf<K> & DomainFormField]
  >;
} & { handled: null };

const { choices: decisions } = FILTERS.decision;

export const OPTIONS = {
  choice: [["", decisions["-"]], ...DECISIONS.map((each) => [each, decisions[each]] as const)],
  flag: [
    ["", "Unknown"],
    ["true", "On"],
    ["false", "Off"],
  ],
} as const satisfies Record<string, Options>;

function toMoney([typed = "", code = ""]: Texts): Money | null {
  const currency = code.trim().toUpperCase() || null;
  const minor = parsePrice(typed, currency);
  return minor === null ? null : { minor, currency };
}

/** An emptied amount withdraws the price, but a currency that was typed is not dropped. */
function moneyFaults([typed = "", code = ""]: Texts, base: Texts): (string | null)[] {
  const amount = typed.trim();
  const currency = code.trim().toUpperCase();
  if (amount === "") {
    const isTyped = currency !== "" && currency !== base[1];
    return [isTyped ? "Enter a price, or clear the currency." : null, null];
  }
  return [
    parsePrice(amount, currency) === null ? "Enter a number such as 1234.50." : null,
    isCurrencyCode(currency) ? null : "Enter the currency in three letters, for example EUR.",
  ];
}

const shortText = {
  texts: (value: string | null) => [value ?? ""],
  input: ([typed = ""]: Texts) => typed.trim() || null,
  controls: ([control]: Controls, given: Surroundings) => textBox(control, given),
};

const day = {
  faults: ([typed = ""]: Texts) => [dayFault(typed)],
  inWords: formatDayDigits,
  controls: dayBox,
};

const choiceOf = (options: Options) => ({
  inWords: (value: string) => options.find(([option]) => option === value)?.[1] ?? value,
  controls: select(options),
});

/** What each kind of field means to the browser. */
const KINDS: Kinds = {
  name: {
    texts: (_, { unicode }) => [unicode],
    input: ([typed = ""]) => typed.trim(),
    faults: ([typed = ""]) => [
      typed.trim() === "" ? "Enter a domain, for example example.com." : null,
    ],
    controls: ([control], given) => {
      const host = readUrlHost(control.value);
      const hint = host ? `Read as ${host}` : "For example example.com or bücher.de";
      const plain = { autoCapitalize: "none", spellCheck: false, inputMode: "url" } as const;
      return textBox(control, { ...given, hint }, plain);
    },
    isWide: true,
  },
  label: shortText,
  status: shortText,
  person: {
    texts: (person) => [person?.id ?? ""],
    input: ([id = ""]) => (UUID.test(id) ? id : null),
    controls: ([control], given) => <PersonBox key={control.name} {...{ control, given }} />,
  },
  tags: {
    texts: (tags) => [tags.join(", ")],
    input: ([typed = ""]) => splitTags(typed),
    controls: ([control], { suggestions = [] }) => (
      <TagBox
        key={control.name}
        {...control}
        hint="Press Enter or a comma after each tag"
        suggestions={suggestions}
      />
    ),
    isWide: true,
  },
  choice: {
    ...choiceOf(OPTIONS.choice),
    texts: (choice) => [choice ?? ""],
    input: ([chosen]) => DECISIONS.find((each) => each === chosen) ?? null,
  },
  flag: {
    ...choiceOf(OPTIONS.flag),
    texts: (flag) => [String(flag ?? "")],
    input: ([chosen]) => (chosen === "true" ? true : chosen === "false" ? false : null),
  },
  expiry: {
    ...day,
    texts: (expires) => [expires?.date ?? ""],
    input: ([typed]) => typed || null,
  },
  day: { ...shortText, ...day },
  price: {
    texts: (price) => [
      price ? formatPrice(price) : "",
      price?.currency ?? "",
      String(price?.years ?? ""),
    ],
    input: (texts) => {
      const money = toMoney(texts);
      return money && { ...money, years: Number(texts[2]) || null };
    },
    faults: (texts, base) => {
      const [amount, currency] = moneyFaults(texts, base);
      const years = texts[2]?.trim() ?? "";
      const isPriced = texts[0]?.trim() !== "" || years === "";
      const inRange = /^\d+$/.test(years) && Number(years) >= 1 && Number(years) <= MAX_YEARS;
      return [
        isPriced ? (amount ?? null) : "Enter a price, or clear the period.",
        currency ?? null,
        years === "" || inRange ? null : `Enter a number from 1 to ${MAX_YEARS}.`,
      ];
    },
    controls: moneyBoxes,
    isWide: true,
  },
  money: {
    texts: (money) => [money ? formatPrice(money) : "", money?.currency ?? ""],
    input: toMoney,
    faults: moneyFaults,
    controls: moneyBoxes,
  },
  hosts: {
    texts: (hosts) => [hosts.join(", ")],
    input: ([typed = ""]) => typed.split(/[,\s]+/).filter((host) => host !== ""),
    controls: ([control], given) =>
      textBox(control, { ...given, hint: "Separate with commas" }, { spellCheck: false }),
    isWide: true,
  },
  notes: {
    texts: (notes) => [notes],
    input: ([typed = ""]) => typed.trim(),
    controls: ([{ name, value, onChange, ...labelled }], { hint }) => (
      <Field key={name} {...labelled} hint={hint}>
        {(control) => (
          <textarea
            {...control}
            {...{ name, value }}
            onChange={({ target }) => onChange(target.value)}
            rows={3}
            dir="auto"
          />
        )}
      </Field>
    ),
    isWide: true,
  },
  handled: null,
  custom: {
    texts: (custom) => {
      const entries = Object.entries(custom);
      return [customText(entries.map(([name, value], id) => ({ id, name, text: value })))];
    },
    input: ([typed = ""]) => {
      const pairs = readCustomText(typed).map((each) => [each.name.trim(), each.text.trim()]);
      return Object.fromEntries(pairs.filter((pair) => pair.every((part) => part !== "")));
    },
    faults: ([typed = ""]) => {
      const kept = readCustomText(typed).filter(({ text }) => text.trim() !== "");
      const names = kept.map(({ name }) => name.trim());
      const keys = names.map(foldLabel);
      const repeated = names.find((_, at) => keys.indexOf(keys[at] ?? "") < at);
      if (names.includes("")) return ["Give each custom field a name."];
      return [repeated === undefined ? null : `Two custom fields are named ${repeated}.`];
    },
    inWords: (value) =>
      readCustomText(value)
        .map((each) => `${each.name}: ${each.text}`)
        .join(", "),
    controls: ([control], { hint, suggestions }) => (
      <CustomFields key={control.name} {...control} hint={hint} suggestions={suggestions} />
    ),
    isWide: true,
  },
};

export const FORM_KIND_OF: {
  readonly [F in DomainFormField]: Kind<Domain[F], Required<DomainInput>[F]>;
} = kindsByField(KINDS);
