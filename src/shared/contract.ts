// Names by their former module; each importer moves to the module itself.
export type { Day, Instant } from "./day.ts";
export type {
  Change,
  ChangePage,
  Decision,
  Domain,
  DomainDetail,
  DomainInput,
  DomainPage,
  Expiry,
  Observation,
  Renewal,
} from "./domain.ts";
export type { FieldProblem, Problem } from "./problem.ts";
export type { Credentials, OwnerSetUp, Session } from "./session.ts";
export type { Upload } from "./upload.ts";
