import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { until } from '../../src/testing/until.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')

/** The API key of all clients. */
export const secret = 'secret-of-the-drain-test'

/** A gateway process that is ended and started again on the same port. */
export interface Restartable extends AsyncDisposable {
  readonly port: number
  /** Sends SIGTERM; resolves with the exit code when a new process serves on the same port. */
  restart(): Promise<number | null>
}

/** How to run a gateway. */
export interface GatewayOptions {
  /** The URL of the sandbox that is its account. */
  readonly sandboxUrl: string
  /** `undefined`: that of a gateway that is told nothing. */
  readonly drainDelayMs: number | undefined
  readonly workers: number
}

/** Starts a gateway process. Resolves when it serves. */
export async function startGatewayProcess(options: GatewayOptions): Promise<Restartable> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-drain-'))
  const [port, adminPort] = [await freePort(), await freePort()]
  const file = join(directory, 'dragoman.config.json')
  await writeFile(file, configurationOf(options))
  const start = () => spawnGateway(file, { ...options, port, adminPort })
  let child = start()
  await serves(adminPort, child)
  return {
    port,
    async restart() {
      const [ended] = [once(child, 'close') as Promise<[number | null]>, child.kill('SIGTERM')]
      const [code] = await ended
      child = start()
      await serves(adminPort, child)
      return code
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function configurationOf({ sandboxUrl, workers }: GatewayOptions): string {
  const account = { id: 'a', provider: 'sandbox', apiKey: 'sandbox-key-a', models: ['sandbox/*'] }
  return JSON.stringify({
    store: workers > 1 ? 'file:store' : 'memory:',
    keys: [{ id: 'drain', secret }],
    accounts: [{ ...account, baseUrl: sandboxUrl }],
  })
}

interface Ports {
  readonly port: number
  readonly adminPort: number
}

function spawnGateway(
  file: string,
  { port, adminPort, drainDelayMs, workers }: GatewayOptions & Ports,
): ChildProcess {
  const ports = ['--port', String(port), '--admin-port', String(adminPort)]
  return spawn(process.execPath, [main, '--config', file, ...ports, '--workers', String(workers)], {
    cwd: dirname(file),
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      ...(drainDelayMs !== undefined && { DRAGOMAN_DRAIN_DELAY_MS: String(drainDelayMs) }),
    },
  })
}

function serves(adminPort: number, child: ChildProcess): Promise<void> {
  return until(async () => {
    if (child.exitCode !== null) throw new Error(`A gateway ended with ${child.exitCode}.`)
    return fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
  }, 30_000)
}

/** A port that no process listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
