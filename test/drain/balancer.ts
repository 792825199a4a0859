import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How nginx reaches the gateways: on connections that it keeps, or on a new one for each call. */
export type Upstream = 'kept connections' | 'new connections'

/** A running nginx. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** What nginx has logged about failures. */
  log(): Promise<string>
}

/** Starts an nginx before gateways on these ports. */
export async function startBalancer(
  port: number,
  gateways: readonly number[],
  upstream: Upstream,
): Promise<Balancer> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-drain-'))
  const file = join(directory, 'nginx.conf')
  await writeFile(file, configurationOf({ directory, port, gateways, upstream }))
  const nginx = spawn('nginx', ['-p', directory, '-c', file, '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  const ended = once(nginx, 'close')
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => readFile(join(directory, 'error.log'), 'utf8').catch(() => ''),
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

interface Settings {
  readonly directory: string
  readonly port: number
  readonly gateways: readonly number[]
  readonly upstream: Upstream
}

/** As `examples/replicas/nginx.conf`, with a shorter time without a gateway that has refused. */
function configurationOf({ directory, port, gateways, upstream }: Settings): string {
  const servers = gateways.map(
    (gateway) => `server 127.0.0.1:${gateway} max_fails=1 fail_timeout=1s;`,
  )
  const kept = upstream === 'kept connections'
  return `
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  upstream gateways { ${servers.join(' ')} ${kept ? 'keepalive 32;' : ''} }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://gateways;
      ${kept ? 'proxy_http_version 1.1; proxy_set_header Connection "";' : ''}
      proxy_buffering off;
    }
  }
}
`
}
