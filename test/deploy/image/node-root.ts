import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The tags that the root below can stand for: of this version, on a slim Debian. */
const tag = /^node:(\d+\.\d+\.\d+)-\w+-slim$/

/**
 * Prepares a directory as the root of an official image of Node: the programs and libraries of this
 * machine, but in `/usr/local` only this Node and npm. Returns the variables of the image.
 */
export async function prepareNodeRoot(root: string, base: string): Promise<Record<string, string>> {
  const [, version] = tag.exec(base) ?? []
  if (version !== process.versions.node)
    throw new Error(`FROM ${base} is not Node ${process.versions.node}, which runs the tests.`)
  for (const name of ['usr', 'etc', 'proc', 'dev', 'root', 'tmp', 'local/bin', 'local/lib'])
    await mkdir(join(root, name), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(root, name))
  await cp(await realpath(process.execPath), join(root, 'local/bin/node'))
  const { stdout } = await run('sh', ['-c', 'command -v npm'])
  const cli = await realpath(stdout.trim())
  await cp(join(cli, '../..'), join(root, 'local/lib/npm'), { recursive: true })
  await symlink('../lib/npm/bin/npm-cli.js', join(root, 'local/bin/npm'))
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
}

/** A step `RUN`. */
interface Command {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
  /** `type=cache,target=/var/cache/npm` */
  readonly mount: string | undefined
}

const mounts = `
mount --make-rprivate /
mount --rbind --options ro /usr "$ROOT/usr"
mount --bind "$ROOT/local" "$ROOT/usr/local"
mount --rbind /etc "$ROOT/etc"
mount --rbind /proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
if [ -n "$CACHE" ]; then mkdir -p "$NPM_CACHE" "$ROOT$CACHE"; mount --bind "$NPM_CACHE" "$ROOT$CACHE"; fi
exec chroot "$ROOT" /usr/bin/env --ignore-environment --chdir="$DIRECTORY" "$@" /bin/sh -c "$COMMAND"
`

/** Runs a command with a prepared directory as its root; npm asks the registry of this machine. */
export async function runInNodeRoot(
  root: string,
  { command, env, directory, mount }: Command,
): Promise<void> {
  const [, cache] = /^type=cache,target=(\/\S+)$/.exec(mount ?? '') ?? []
  if (mount !== undefined && cache === undefined) throw new Error(`${mount} is not understood.`)
  const variables = { ...(await npmSettings()), ...env, HOME: '/root' }
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const own = {
    ROOT: root,
    CACHE: cache ?? '',
    NPM_CACHE: await npmConfig('cache'),
    DIRECTORY: directory,
    COMMAND: command,
  }
  const child = spawn('unshare', ['--mount', 'bash', '-euc', mounts, 'mounts', ...words], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${output}`)
}

/** What npm needs to know on machines with a registry or certificates of their own. */
async function npmSettings(): Promise<Record<string, string>> {
  const names = ['registry', 'cafile']
  const values = await Promise.all(names.map((name) => npmConfig(name)))
  const set = names.map((name, index) => [`npm_config_${name}`, values[index] ?? ''] as const)
  return Object.fromEntries(set.filter(([, value]) => value !== '' && value !== 'null'))
}

async function npmConfig(name: string): Promise<string> {
  return (await run('npm', ['config', 'get', name])).stdout.trim()
}
