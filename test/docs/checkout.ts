import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../src/testing/until.ts'
import { repository } from './pages.ts'

export interface Shell {
  readonly child: ChildProcess
  readonly output: { text: string }
  /** The exit code, when it has ended. */
  readonly ended: Promise<number | null>
}

/** A directory like a fresh checkout, where commands of the pages run as they are written. */
export interface Checkout extends AsyncDisposable {
  /** Runs a command in a shell of its own. */
  start(command: string, env?: Record<string, string>): Shell
  /** Runs a command to its end and returns what it printed; rejects where it fails. */
  run(command: string, env?: Record<string, string>): Promise<string>
  write(name: string, content: string): Promise<void>
}

const linked = ['src', 'plugins', 'config', 'scripts', 'node_modules', 'tsconfig.json']

export async function openCheckout(): Promise<Checkout> {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-docs-'))
  await cp(join(repository, 'package.json'), join(path, 'package.json'))
  for (const name of linked) await symlink(join(repository, name), join(path, name))
  const shells: Shell[] = []

  const start = (command: string, env: Record<string, string> = {}): Shell => {
    const output = { text: '' }
    const child = spawn('sh', ['-c', command], {
      cwd: path,
      detached: true,
      env: {
        PATH: process.env['PATH'],
        HOME: path,
        DRAGOMAN_PORT: '0',
        DRAGOMAN_ADMIN_PORT: '0',
        ...env,
      },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk))
    }
    const ended = once(child, 'close').then(([code]) => code as number | null)
    const shell = { child, output, ended }
    shells.push(shell)
    return shell
  }

  return {
    start,
    async run(command, env) {
      const { output, ended } = start(command, env)
      const code = await ended
      if (code !== 0) throw new Error(`\`${command}\` ended with ${code}:\n${output.text}`)
      return output.text
    },
    write: (name, content) => writeFile(join(path, name), content),
    async [Symbol.asyncDispose]() {
      for (const { child } of shells) endGroup(child)
      await Promise.all(shells.map(({ ended }) => ended))
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** A command may have started others. */
function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** Waits until a command has printed something. */
export async function printed(shell: Shell, pattern: RegExp): Promise<RegExpMatchArray> {
  await until(() => pattern.test(shell.output.text) || shell.child.exitCode !== null, 15_000)
  const match = pattern.exec(shell.output.text)
  if (!match) throw new Error(`It did not say ${pattern}:\n${shell.output.text}`)
  return match
}

/** The addresses of a gateway. */
export interface Serving {
  readonly clients: string
  readonly admin: string
}

/** The addresses that a gateway says it listens on. */
export async function serving(server: Shell): Promise<Serving> {
  const [, clients = '', admin = ''] = await printed(
    server,
    /\blisten\w+ on (http:\S+?)(?:,| \(API\)) .*?(http:\S+?)(?:\.\s| \(admin\))/i,
  )
  return { clients, admin }
}

/** The API key that a first start prints. */
export async function firstKey(server: Shell): Promise<string> {
  const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
  return key
}

/** Starts a sandbox by the command of a page, on a free port in place of the one in it. */
export async function startSandboxOf(
  checkout: Checkout,
  command: string,
): Promise<{ url: string; shell: Shell }> {
  const shell = checkout.start(command.replace('8790', '0'))
  const [, url = ''] = await printed(shell, /\blisten\w+ on (http:[^\s;]+?)\/?[\s;]/i)
  return { url, shell }
}
