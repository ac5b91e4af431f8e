import { closeSession, openSession, showSession, type Access } from "./auth/token-routes.ts";
import type { Caller, User } from "./auth/sessions.ts";
import type { Peer } from "../shared/api.ts";
import type { Database } from "./database/database.ts";
import { createRouter } from "./http/router.ts";
import { commit, showImport, showImports, showRows, undo } from "./import/import-routes.ts";
import {
  changePreview,
  dropPreview,
  startImport,
  type ImportErrand,
} from "./import/preview-routes.ts";
import { changeDomains } from "./domains/bulk-route.ts";
import {
  changeDomain,
  createDomain,
  removeDomain,
  showDomain,
  showDomains,
  showNamed,
  type Errand,
} from "./domains/domain-routes.ts";
import { exportDomains } from "./domains/export-route.ts";
import { showHistory } from "./domains/history-route.ts";
import { showFacets, showSummary } from "./domains/overview-routes.ts";
import type { UploadFiles } from "./uploads/upload-files.ts";
import { storeUpload } from "./uploads/upload-route.ts";

/** What the backend is made of. */
export interface House {
  database: Database;
  access: Access;
  files: UploadFiles;
  maxUploadBytes: number;
}

/** One request on its way: who sends it, and from where. */
export interface Visit {
  house: House;
  request: Request;
  url: URL;
  peer: Peer;
  caller: Caller;
}

/** A visit of somebody who is signed in. */
export interface MemberVisit extends Visit {
  user: User;
}

/** Where the session is; every other path needs one. */
export const TOKEN_PATH = "/api/token";

/** `/api/token`, for everybody. */
export const matchPublic = createRouter<Visit>([
  {
    path: TOKEN_PATH,
    methods: {
      GET: (visit) => showSession(visit.house.access, visit),
      POST: (visit) => openSession(visit.house.access, visit),
      DELETE: (visit) => closeSession(visit.house.access, visit),
    },
  },
]);

/** Everything else, for those who are signed in. */
export const matchMember = createRouter<MemberVisit>([
  {
    path: "/api/upload/post",
    methods: {
      POST: ({ house, request, user, peer }) => {
        const { database, files, maxUploadBytes: maxBytes } = house;
        return storeUpload({ database, files, maxBytes }, request, user.id, peer.refreshIdleTimer);
      },
    },
  },
  {
    path: "/api/domains",
    methods: {
      GET: (visit) => showDomains(errand(visit)),
      POST: (visit) => createDomain(errand(visit)),
    },
  },
  { path: "/api/domains/bulk", methods: { POST: (visit) => changeDomains(errand(visit)) } },
  { path: "/api/domains.csv", methods: { GET: (visit) => exportDomains(errand(visit)) } },
  {
    path: "/api/domains/:id",
    methods: {
      GET: (visit, id) => showDomain(errand(visit), id),
      PATCH: (visit, id) => changeDomain(errand(visit), id),
      DELETE: (visit, id) => removeDomain(errand(visit), id),
    },
  },
  {
    path: "/api/domains/:id/history",
    methods: { GET: (visit, id) => showHistory(errand(visit), id) },
  },
  {
    path: "/api/domains/:name",
    methods: { GET: (visit, name) => showNamed(errand(visit), name) },
  },
  { path: "/api/summary", methods: { GET: (visit) => showSummary(errand(visit)) } },
  { path: "/api/facets", methods: { GET: (visit) => showFacets(errand(visit)) } },
  {
    path: "/api/imports",
    methods: {
      GET: (visit) => showImports(importErrand(visit)),
      POST: (visit) => startImport(importErrand(visit)),
    },
  },
  {
    path: "/api/imports/:id",
    methods: {
      GET: (visit, id) => showImport(importErrand(visit), id),
      PATCH: (visit, id) => changePreview(importErrand(visit), id),
      DELETE: (visit, id) => dropPreview(importErrand(visit), id),
    },
  },
  {
    path: "/api/imports/:id/rows",
    methods: { GET: (visit, id) => showRows(importErrand(visit), id) },
  },
  {
    path: "/api/imports/:id/commit",
    methods: { POST: (visit, id) => commit(importErrand(visit), id) },
  },
  {
    path: "/api/imports/:id/undo",
    methods: { POST: (visit, id) => undo(importErrand(visit), id) },
  },
]);

function errand({ house, request, url, user }: MemberVisit): Errand {
  return { database: house.database, request, url, email: user.email };
}

function importErrand(visit: MemberVisit): ImportErrand {
  return { ...errand(visit), files: visit.house.files, userId: visit.user.id };
}
