import { any, is } from "./header-test.ts";

/** A header of what stands in front of the suffix of a name, as registries call it. */
export const isSecondLevelHeader = is("sld, second level domain, second level");

/** A header of the suffix of a name, as registries call it. */
export const isTopLevelHeader = is(`tld, top level domain, top level, topleveldomain,
  domaine de premier niveau, dominio de nivel superior, dominio di primo livello, domena najwyzszego poziomu,
  トップレベルドメイン`);

/** A header of the suffix of a name, in words that may be of something else. */
export const isExtensionHeader = is(`extension, ext, suffix, name extension, name suffix, endung,
  domainendung, domain endung, suffixe, sufijo, suffisso, estensione, extensie, extensao, sufixo, rozszerzenie, koncowka`);

/** A header of a part of a name: only together they say one. */
export const isNamePartHeader = any(isSecondLevelHeader, isTopLevelHeader, isExtensionHeader);
