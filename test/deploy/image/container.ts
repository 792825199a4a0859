import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../src/testing/until.ts'
import type { Image } from './build.ts'

/** A running container of an image: its own processes, network and mounts, and nothing of this machine. */
export interface Container extends AsyncDisposable {
  /** What it has written so far. */
  output(): string
  /** Runs a program of the image in it, as `docker exec` does. */
  exec(words: readonly string[]): Promise<Ended>
  /** Runs a module of this machine's Node in its network, as a client beside it. */
  client(module: string): ChildProcessWithoutNullStreams
  /** Sends the signal with which an engine stops it; resolves with its exit code. */
  stop(): Promise<number>
}

interface Ended {
  readonly code: number
  readonly output: string
}

const setUp = `
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount --bind "$DATA" "$ROOT$VOLUME"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
for device in null zero random urandom; do
  touch "$ROOT/dev/$device"
  mount --bind "/dev/$device" "$ROOT/dev/$device"
done
mount -o remount,bind,ro "$ROOT"
ip link set lo up
exec "$@"
`

/** Starts a container with a read-only root, no capabilities and a new volume, as the image's user. */
export async function startContainer(
  image: Image,
  words: readonly string[] = [],
): Promise<Container> {
  const [volume = ''] = image.volumes
  const data = await mkdtemp(join(tmpdir(), 'dragoman-volume-'))
  const { uid, gid } = await stat(join(image.root, volume))
  await chown(data, uid, gid)
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork']
  const child = spawn(
    'unshare',
    [
      ...namespaces,
      'bash',
      '-euc',
      setUp,
      'set-up',
      ...inside(image, [...image.entrypoint, ...words]),
    ],
    { env: { ...process.env, ROOT: image.root, DATA: data, VOLUME: volume } },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(([code]) => code as number)
  const first = await firstProcess(child, () => output)
  const enter = ['--target', String(first)]
  return {
    output: () => output,
    async exec(command) {
      const spaces = ['--mount', '--pid', '--net', '--ipc', '--uts']
      const running = spawn('nsenter', [...enter, ...spaces, ...inside(image, command)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [running.stdout, running.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text))
      const [code] = (await once(running, 'close')) as [number]
      return { code, output: said }
    },
    client: (module) =>
      spawn('nsenter', [...enter, '--net', process.execPath, '--input-type=module', '-e', module]),
    stop() {
      process.kill(first, constants.signals[image.stopSignal as NodeJS.Signals])
      return ended
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) process.kill(first, 'SIGKILL')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** The command line that becomes a process of the image: its root, its user, its variables, no rights. */
function inside({ root, user, env, directory }: Image, words: readonly string[]): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return [
    'setpriv',
    '--no-new-privs',
    '--inh-caps=-all',
    'chroot',
    `--userspec=${user}`,
    '--groups=',
    root,
    '/usr/bin/env',
    '--ignore-environment',
    `--chdir=${directory}`,
    ...variables,
    ...words,
  ]
}

/** The process that is 1 in the container, by its number on this machine. */
async function firstProcess(
  { pid }: ChildProcessWithoutNullStreams,
  output: () => string,
): Promise<number> {
  let first = 0
  await until(async () => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => {
      throw new Error(`The container did not start: ${output()}`)
    })
    first = Number(children)
    return first > 0
  })
  return first
}
