import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real `redis-server` for one test. */
export interface TestRedis extends AsyncDisposable {
  /** For the `store` of a configuration. */
  readonly url: string
  readonly port: number
  /** Suspends the process; its connections stay open. */
  pause(): void
  /** Continues a suspended process. */
  resume(): void
  /** Ends the process at once. */
  kill(): Promise<void>
  /** Ends the process and starts an empty one on the same port. */
  restart(): Promise<void>
  /** Sends one command and resolves with the raw reply. */
  command(...words: string[]): Promise<string>
}

/** Starts Redis on a free port. Rejects if `redis-server` is not installed. */
export async function startRedis(...options: string[]): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-redis-'))
  let { port, server } = await launchAnywhere(directory, options)

  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      server = await launch(port, directory, options)
    },
    command: (...words) => sendCommand(port, words),
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Another process may take a free port before Redis does: then another one is tried. */
async function launchAnywhere(
  directory: string,
  options: readonly string[],
  attempts = 5,
): Promise<{ readonly port: number; readonly server: ChildProcess }> {
  const port = await freePort()
  try {
    return { port, server: await launch(port, directory, options) }
  } catch (error) {
    if (attempts === 1 || !(error instanceof NotStarted)) throw error
    return await launchAnywhere(directory, options, attempts - 1)
  }
}

class NotStarted extends Error {}

async function launch(
  port: number,
  directory: string,
  options: readonly string[],
): Promise<ChildProcess> {
  const server = spawn(
    'redis-server',
    // prettier-ignore
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory, ...options],
    { stdio: 'ignore' },
  )
  // Rejects with the error of a missing redis-server.
  await once(server, 'spawn')
  for (;;) {
    if (server.exitCode !== null) throw new NotStarted('redis-server did not start.')
    if ((await sendCommand(port, ['PING']).catch(() => '')) !== '') return server
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Sends a command in the Redis protocol, without a client library. */
function sendCommand(port: number, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
    socket.on('error', reject)
    socket.once('data', (reply) => {
      resolve(reply.toString())
      socket.destroy()
    })
    socket.write(`*${words.length}\r\n${parts.join('')}`)
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
