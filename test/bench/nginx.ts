import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** What nginx is set up for: all that makes it fast, or what its package in Debian comes with. */
export type Setting = "tuned" | "as packaged";

interface Options {
  port: number;
  /** Where configuration, logs and temporary files go; removed by whoever made it. */
  folder: string;
  /** What is served, each file with its `.gz` beside it. */
  site: string;
  backendPort: number;
  /** What the page is sent with: the same as ours. */
  pageHeaders: Record<string, string>;
}

/** Starts one worker that serves the same as Freehold; null where it is not installed. */
export async function startNginx(
  options: Options,
  setting: Setting,
): Promise<Bun.Subprocess | null> {
  const program = Bun.which("nginx", { PATH: `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin` });
  if (program === null) return null;
  const { folder } = options;
  await mkdir(join(folder, "temporary"));
  const file = join(folder, "nginx.conf");
  await Bun.write(file, configure(options, setting));
  return Bun.spawn([program, "-c", file, "-p", folder, "-e", join(folder, "error.log")], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
}

function configure(options: Options, setting: Setting): string {
  const { folder } = options;
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, "temporary", name)};`)
    .join("\n  ");
  return `
daemon off;
master_process off;
worker_processes 1;
pid ${join(folder, "nginx.pid")};
error_log ${join(folder, "error.log")};
events { worker_connections 4096; }
http {
  ${temporary}
  types { text/html html; text/javascript js; image/svg+xml svg; }
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  ${setting === "tuned" ? TUNED : packaged(folder)}
  ${serve(options)}
}
`;
}

/** Everything that makes it faster is on: kept files, prepared gzip, no log. */
const TUNED = `
  access_log off;
  open_file_cache max=100 inactive=60s;
  open_file_cache_valid 60s;
  gzip_static on;
  gzip_vary on;`;

/** As `/etc/nginx/nginx.conf` of Debian has it, and scripts named among what is to be compressed. */
const packaged = (folder: string) => `
  access_log ${join(folder, "access.log")};
  gzip on;
  gzip_types text/javascript;`;

function serve({ port, site, backendPort, pageHeaders }: Options): string {
  const headers = Object.entries(pageHeaders)
    .map(([name, value]) => `add_header ${name} "${value}";`)
    .join("\n      ");
  return `
  client_max_body_size 0;
  upstream backend {
    server 127.0.0.1:${backendPort};
    keepalive 256;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port};
    root ${site};
    location = /home {
      default_type text/html;
      try_files /home.html =404;
      ${headers}
    }
    location /assets/ {
      add_header Cache-Control "public, max-age=31536000, immutable";
      add_header X-Content-Type-Options nosniff;
      add_header Cross-Origin-Resource-Policy same-origin;
    }
    location /api/ {
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $host;
      proxy_set_header X-Forwarded-Proto $scheme;
      add_header X-Content-Type-Options nosniff;
      add_header Content-Security-Policy "default-src 'none'; frame-ancestors 'none'; sandbox";
    }
  }`;
}
