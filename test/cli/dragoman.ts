import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { createTerminal, run } from '../../src/cli/run.ts'

/** The entry of the command line. */
export const main = join(import.meta.dirname, '../../src/cli/main.ts')

export interface Result {
  code: number | null
  stdout: string
  stderr: string
}

/** A directory of one story's own, and the command line in it. */
export interface Place extends AsyncDisposable {
  path: string
  write(name: string, content: string): Promise<void>
  /** Runs a command to its end, in this process: for what needs no process to be true. */
  call(words: string, env?: Record<string, string>): Promise<Result>
  /** Runs a command to its end, as a process. */
  run(words: string, env?: Record<string, string>): Promise<Result>
  /** Starts a command that stays. It is killed with the place. */
  start(words: string, env?: Record<string, string>, how?: Launch): Running
}

/** Another program that starts a command. */
export type Launch = (words: string) => { file: string; words: string[] }

const directly: Launch = (words) => ({ file: process.execPath, words: [main, ...split(words)] })

export interface Running {
  child: ChildProcess
  /** What it has printed so far. */
  output: { stdout: string; stderr: string }
  /** Resolves with the match as soon as it is in stderr; rejects when the process ends without. */
  said(pattern: RegExp): Promise<RegExpMatchArray>
  ended: Promise<Result>
}

export async function openPlace(): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const all: Running[] = []
  const start = (words: string, env: Record<string, string> = {}, how = directly): Running => {
    const launch = how(words)
    const running = follow(
      spawn(launch.file, launch.words, {
        cwd: path,
        // Nothing of the developer's own keys and settings.
        env: {
          PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          TEST_RUN: process.env['TEST_RUN'],
          // No balancer has to notice that a gateway ends.
          DRAGOMAN_DRAIN_DELAY_MS: '0',
          ...env,
        },
      }),
    )
    all.push(running)
    return running
  }
  return {
    path,
    start,
    call: (words, env = {}) => call(words, env, path),
    run: (words, env) => start(words, env).ended,
    write: (name, content) => writeFile(join(path, name), content),
    async [Symbol.asyncDispose]() {
      for (const { child } of all) child.kill('SIGKILL')
      await Promise.all(all.map(({ ended }) => ended))
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function call(words: string, env: Record<string, string>, cwd: string): Promise<Result> {
  const output = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof output) => ({
    writableLength: 0,
    write(text: string, written?: () => void) {
      output[name] += text
      written?.()
      return true
    },
  })
  const terminal = createTerminal({ stdout: sink('stdout'), stderr: sink('stderr'), env, cwd })
  const code = await run(split(words), terminal)
  return { code, ...output }
}

function split(words: string): string[] {
  return words.split(' ').filter(Boolean)
}

function follow(child: ChildProcess): Running {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return {
    child,
    output,
    ended,
    async said(pattern) {
      for (;;) {
        const match = pattern.exec(output.stderr)
        if (match) return match
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`It ended without saying ${pattern}:\n${output.stderr}`)
        }
        await Promise.race([once(child.stderr ?? child, 'data'), ended])
      }
    },
  }
}

/** Ports for a server in a test: any that are free. */
export const anyPorts = '--port 0 --admin-port 0'

/** The same without the admin API, where no operator asks: its modules are nearly half of the work of a start. */
export const withoutAdmin = '--port 0 --admin off'

/** The addresses that a server says it listens on; without an admin API, `operators` is empty. */
export async function addressesOf(
  server: Running,
): Promise<{ clients: string; operators: string }> {
  const [, clients = '', operators = ''] = await server.said(
    /Listening on (http:\S+) \(API\)(?: and (http:\S+) \(admin\)\.|; the admin API is off\.)\n/,
  )
  return { clients, operators }
}

/** Asks for the models with a key: the cheapest request that wants one. */
export async function statusWithKey(clients: string, secret: string): Promise<number> {
  const response = await fetch(`${clients}/v1/models`, {
    headers: { authorization: `Bearer ${secret.trim()}` },
  })
  await response.body?.cancel()
  return response.status
}

/** The answer of the admin API to an operation. */
export function askAdmin(operators: string, token: string, query: string): Promise<Response> {
  return fetch(`${operators}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
}
