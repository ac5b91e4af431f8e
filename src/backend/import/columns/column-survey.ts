import type { Day } from "../../../shared/contract.ts";
import type { ColumnAnalysis } from "./analysis.ts";
import { ColumnProfile } from "./column-profile.ts";
import { currencyOfHeader } from "../values/currency.ts";
import { DateEvidence } from "../values/date-reading.ts";
import type { DateOrder } from "../values/dates.ts";
import type { Field } from "./field.ts";
import { readHeader, type HeaderMeaning } from "./header-words.ts";
import type { Column } from "./mapping.ts";
import { MoneyEvidence } from "../values/money.ts";

/** Everything that is learnt about one column while the file passes by once. */
export class ColumnSurvey implements Column {
  readonly header: string | null;
  readonly meaning: HeaderMeaning | null;
  readonly secret: boolean;
  readonly profile: ColumnProfile;
  readonly #dates = new DateEvidence();
  readonly #money = new MoneyEvidence();
  readonly #field: Field | "ignore" | null;

  /**
   * `field` is what the column is known to be; null: that is what has to be found out. Without a
   * `meaning` the header says it.
   */
  constructor(of: {
    header: string | null;
    meaning?: HeaderMeaning;
    field: Field | "ignore" | null;
    today: Day;
  }) {
    this.header = of.header;
    this.meaning = of.meaning ?? (of.header === null ? null : readHeader(of.header));
    this.secret = this.meaning?.kind === "secret";
    this.profile = new ColumnProfile(of.today);
    this.#field = of.field;
  }

  /** Whether another cell would teach anything; of a secret column none is looked at. */
  get isOpen(): boolean {
    const isRead = this.#mayBe("expires") || this.#mayBe("renewalPrice");
    return !this.secret && (this.profile.isOpen || isRead);
  }

  /** Looks at the next cell. */
  add(cell: string): void {
    if (this.profile.isOpen) this.profile.add(cell);
    if (this.#mayBe("expires")) this.#dates.add(cell);
    if (this.#mayBe("renewalPrice")) this.#money.add(cell);
  }

  /** Dates of this column that two orders read differently. */
  get openDates(): readonly string[] {
    return this.#dates.openDates;
  }

  /** What was learnt, given what the column turned out to be. */
  finish(field: Field | "ignore", dateOrder: DateOrder | null): ColumnAnalysis {
    // A column of addresses that no header explains is somebody's contact data.
    const unnamed = this.meaning?.kind !== "field" && field === "ignore";
    const secret = this.secret || (unnamed && this.profile.share("address") >= 0.5);
    const dates = this.#dates.decide(dateOrder);
    return {
      header: this.header,
      secret,
      kind: secret ? "text" : this.profile.kind,
      samples: secret ? [] : this.profile.samples,
      dates: field === "expires" || (!secret && dates.order !== "none") ? dates : null,
      money: field === "renewalPrice" ? this.#money.decide() : null,
      currency: this.header === null ? null : currencyOfHeader(this.header),
    };
  }

  /** Reading every cell of every column as a date would be most of the work of an import. */
  #mayBe(field: "expires" | "renewalPrice"): boolean {
    if (this.#field !== null) return this.#field === field;
    if (this.meaning !== null) return this.meaning.kind === "field" && this.meaning.field === field;
    return field === "expires" && (this.profile.isOpen || this.profile.share("date") >= 0.5);
  }
}
