/** Restricts every file to this site and to its declared type. */
export const FILE_HEADERS = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

/** Sent with everything once the browser came over https: RFC 6797. A year, without subdomains. */
export const STRICT_TRANSPORT = "max-age=31536000";

const UNUSED_FEATURES =
  "accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope hid magnetometer microphone midi payment picture-in-picture screen-wake-lock serial usb xr-spatial-tracking";

const PERMISSIONS = UNUSED_FEATURES.split(" ")
  .map((name) => `${name}=()`)
  .join(", ");

export function pageHeaders(css: string): Record<string, string> {
  const hash = new Bun.CryptoHasher("sha256").update(css).digest("base64");
  return {
    ...FILE_HEADERS,
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'sha256-${hash}'`,
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
