/** The far end of the scale: a proxy in C that doesn't look at what it passes on. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, temporaryDirectory } from '../children.ts'
import type { PrepareSubject } from './subject.ts'

export const prepareNginx: PrepareSubject = async (upstreamPort) => {
  if (spawnSync('nginx', ['-v']).error) return 'not installed'
  const port = await freePort()
  const directory = join(temporaryDirectory(), 'nginx')
  mkdirSync(directory)
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration(directory, port, upstreamPort))
  return { port, command: ['nginx', '-e', join(directory, 'error.log'), '-c', file] }
}

/** One process without a master: it is the one that gets measured and, at the end, stopped. */
function configuration(directory: string, port: number, upstreamPort: number): string {
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n  ')
  return `daemon off;
master_process off;
worker_processes 1;
pid ${directory}/nginx.pid;
events { worker_connections 1024; }
http {
  ${temporaryPaths}
  access_log off;
  keepalive_requests 1000000000;
  client_body_buffer_size 128k;
  upstream provider {
    server 127.0.0.1:${upstreamPort};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`
}
