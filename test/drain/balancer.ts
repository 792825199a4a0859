import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Surroundings, replaced, shippedConfiguration } from '../walks/ingress/shipped.ts'

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
  await writeFile(file, await configurationOf({ directory, port, gateways, upstream }))
  const main = `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/error.log;`
  const nginx = spawn('nginx', ['-p', directory, '-c', file, '-g', main], {
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

interface Settings extends Surroundings {
  readonly upstream: Upstream
}

/** The shipped configuration, with or without the connections that it keeps. */
async function configurationOf({ upstream, ...surroundings }: Settings): Promise<string> {
  const shipped = await shippedConfiguration(surroundings)
  // Closing a client's connection after 1,000 calls is nginx's own race, not the gateway's.
  const patient: [RegExp, string] = [
    /^ {2}server \{$/m,
    '  server {\n    keepalive_requests 1000000;',
  ]
  const alone: [RegExp, string] = [/^ *keepalive 64;\n *keepalive_timeout 500ms;$/m, '']
  return replaced(shipped, upstream === 'kept connections' ? [patient] : [patient, alone])
}
