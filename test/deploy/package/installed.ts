import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { manifest, repository } from './manifest.ts'

/** An application's folder into which the packed package is installed. */
export interface Installed extends AsyncDisposable {
  readonly folder: string
  /** The files of the tarball, relative to the package. */
  readonly files: readonly string[]
  write(name: string, content: string): Promise<void>
  /** Runs a program to its end and returns what it prints; rejects where it fails. */
  run(command: Command, variables?: Variables): Promise<string>
  /** Starts a program that stays. */
  start(command: Command): ChildProcessWithoutNullStreams
}

/** The package of npm with the program alone. */
const oldestNode = `node-${process.platform}-${process.arch}@${manifest.engines.node.replace('>=', '')}`

type Command = readonly [program: string, ...words: string[]]

type Variables = Readonly<Record<string, string>>

/**
 * Packs a copy of the checkout, so that its `dist` stays as it is, and installs the tarball, beside the oldest Node that
 * the package permits: all programs run with it.
 */
export async function installPacked(): Promise<Installed> {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-package-'))
  const [source, folder] = [join(root, 'source'), join(root, 'application')]
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  await copyCheckout(source)
  await npm(source, 'pack', '--pack-destination', root)
  const tarball = (await readdir(root)).find((name) => name.endsWith('.tgz')) ?? ''

  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund']
  await npm(folder, 'install', ...quietly, join(root, tarball), oldestNode)
  const installed = join(folder, 'node_modules/dragoman')
  // Nothing of the settings and keys of whoever runs the tests.
  const own = {
    HOME: folder,
    PATH: pathWith(join(folder, 'node_modules/.bin')),
    // That Node calls its SQLite experimental.
    NODE_NO_WARNINGS: '1',
  }
  const disposal = cleanup.move()
  return {
    folder,
    files: await filesBelow(installed),
    write: (name, content) => writeFile(join(folder, name), content),
    run: (command, variables) => run(command, folder, { ...own, ...variables }),
    start: ([program, ...words]) => spawn(program, words, { cwd: folder, env: own }),
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

const left = new Set(['.git', 'node_modules', 'dist', 'coverage', '.dragoman'])

/** With a file in `dist` that an earlier build has left. */
async function copyCheckout(target: string): Promise<void> {
  await cp(repository, target, { recursive: true, filter: (path) => !left.has(basename(path)) })
  await symlink(join(repository, 'node_modules'), join(target, 'node_modules'), 'dir')
  await mkdir(join(target, 'dist'))
  await writeFile(join(target, 'dist/stale.js'), '')
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** npm keeps its settings, such as the registry; its Node is that of the tests. */
function npm(folder: string, ...words: string[]): Promise<string> {
  return run(['npm', ...words], folder, { ...process.env, PATH: pathWith() })
}

function pathWith(...folders: string[]): string {
  return [...folders, dirname(process.execPath), process.env['PATH']].join(delimiter)
}

async function run(
  [program, ...words]: Command,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, { cwd, env })
    return stdout + stderr
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    throw new Error(`\`${program} ${words.join(' ')}\` failed:\n${stdout}${stderr}`, { cause })
  }
}
