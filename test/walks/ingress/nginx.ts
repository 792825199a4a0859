import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../src/testing/until.ts'
import { shippedConfiguration } from './shipped.ts'

export interface Nginx extends AsyncDisposable {
  readonly url: string
}

/**
 * The configuration of an nginx: the shipped one, that of a new installation with nothing tuned for streams,
 * or the latter with the client's address appended to `x-forwarded-for`.
 */
type Kind = 'shipped' | 'untuned' | 'appending'

/** Starts a real nginx before the gateway or gateways at these URLs; only the shipped one has several. */
export async function startNginx(
  gateways: string | readonly string[],
  kind: Kind = 'untuned',
): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-nginx-'))
  const port = await freePort()
  const file = join(directory, 'nginx.conf')
  const main = kind === 'shipped' ? ` pid ${directory}/nginx.pid;` : ''
  await writeFile(file, await configurationOf(kind, directory, port, [gateways].flat()))
  const child = spawn('nginx', ['-p', directory, '-c', file, '-g', `daemon off;${main}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  child.on('error', (error) => (complaint += `${error.message}: install the package nginx`))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(complaint)
    return fetch(`${url}/livez`).then(
      (response) => response.ok,
      () => false,
    )
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function configurationOf(
  kind: Kind,
  directory: string,
  port: number,
  gateways: readonly string[],
): Promise<string> {
  const [upstream = ''] = gateways
  if (kind === 'shipped') {
    const ports = gateways.map((url) => Number(new URL(url).port))
    return shippedConfiguration({ directory, port, gateways: ports })
  }
  const appending =
    kind === 'appending' ? 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;' : ''
  return `
pid ${directory}/nginx.pid;
error_log stderr;
worker_processes 1;
events { worker_connections 128; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; ${appending} }
  }
}
`
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
