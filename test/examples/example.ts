import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { openPage, repository } from '../docs/pages.ts'
import { type Shell, type Shells, openShells, printed } from '../docs/shells.ts'
import { manifest, sourceOf } from '../deploy/package/manifest.ts'

/** A copy of an example in a checkout of its own, with other ports than those in its files. */
export interface Example extends Shells {
  /** This command of the README, as it is to be typed here. Throws if the README has no such command. */
  command(words: string): string
  /** The commands of the README that no test has asked for. */
  unused(): string[]
  /** The address that the README shows as `http://127.0.0.1:PORT`. */
  url(shown: number): string
  /** Runs this command of the README to its end. */
  follow(words: string, env?: Record<string, string>): Promise<string>
  /** Starts this command of the README and waits for its words. */
  open(words: string, said: RegExp, env?: Record<string, string>): Promise<Shell>
}

/** All ports that the examples name: Redis, the application, nginx, gateways, sandbox, service. */
const shownPorts = [6379, 8000, 8080, 8787, 8788, 8789, 8790, 8791, 8792]

/** Opens an example by its folder below `examples`. Its commands have these environment variables too. */
export async function openExample(
  name: string,
  env: Record<string, string> = {},
): Promise<Example> {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-example-'))
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rm(root, { recursive: true, force: true }))
  await writeCheckout(root)
  const folder = join(root, 'examples', name)
  await mkdir(dirname(folder), { recursive: true })
  await cp(join(repository, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !left.has(basename(path)),
  })
  const ports = await freePorts()
  const here = (text: string) =>
    text.replaceAll(/\b\d{4}\b/g, (number) => `${ports.get(Number(number)) ?? number}`)
  for (const file of await readdir(folder)) {
    const path = join(folder, file)
    await writeFile(path, here(await readFile(path, 'utf8')))
  }
  await provide(folder)
  const shells = opening.use(openShells(folder, { ...environment(root, ports), ...env }))

  const page = openPage(`examples/${name}/README.md`)
  const unused = new Set(page.blocks('sh'))
  const command = (words: string) => {
    const block = page.block('sh', words)
    unused.delete(block)
    return here(block)
  }
  const opened = opening.move()
  return {
    ...shells,
    command,
    unused: () => [...unused],
    url: (shown) => `http://127.0.0.1:${ports.get(shown)}`,
    follow: (words, env) => shells.run(command(words), env),
    async open(words, said, env) {
      const shell = shells.start(command(words), env)
      await printed(shell, said)
      return shell
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** What an installation and a run leave in the folder of an example. */
const left = new Set([
  'node_modules',
  'package-lock.json',
  '.dragoman',
  'appendonlydir',
  'nginx-temp',
  'nginx.pid',
])

/**
 * Puts the packages that an example needs besides the gateway into its folder, as an installation does:
 * the examples ask no registry here.
 */
async function provide(folder: string): Promise<void> {
  const own = await packageAt(folder)
  const { [manifest.name]: _gateway, ...needed } = { ...own.dependencies, ...own.devDependencies }
  const copied = new Set<string>()
  const missing = Object.keys(needed)
  for (let name = missing.pop(); name !== undefined; name = missing.pop()) {
    if (copied.has(name)) continue
    copied.add(name)
    const source = join(repository, 'node_modules', name)
    await cp(source, join(folder, 'node_modules', name), { recursive: true })
    const found = await packageAt(source)
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = found
    await linkCommands(folder, name, found)
    const peers = Object.keys(peerDependencies ?? {})
    const required = peers.filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
    missing.push(...Object.keys(dependencies ?? {}), ...required)
  }
}

/** npm installs a package again whose commands are missing. */
async function linkCommands(folder: string, name: string, { bin = {} }: Package): Promise<void> {
  const commands = typeof bin === 'string' ? { [basename(name)]: bin } : bin
  for (const [command, file] of Object.entries(commands)) {
    const links = join(folder, 'node_modules/.bin')
    await mkdir(links, { recursive: true })
    await symlink(join('..', name, file), join(links, command))
  }
}

interface Package {
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

async function packageAt(folder: string): Promise<Package> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package
}

/** The package as if it were built, but that its entries lead to the sources. */
export async function writeCheckout(root: string): Promise<void> {
  for (const folder of ['src', 'plugins', 'config', 'node_modules']) {
    await symlink(join(repository, folder), join(root, folder), 'dir')
  }
  await symlink(join(repository, 'schema.graphql'), join(root, 'schema.graphql'))
  const exports = Object.entries(manifest.exports).map(([subpath, entry]) => [
    subpath,
    typeof entry === 'string' ? entry : sourceOf(entry.types),
  ])
  const source = join(repository, 'src/cli/main.ts')
  // npm makes the file executable, so it is not the source itself.
  const bins = { dragoman: './bin.mjs' }
  await writeFile(
    join(root, 'bin.mjs'),
    `#!/usr/bin/env node\nimport '${pathToFileURL(source).href}'\n`,
  )
  const built = {
    ...manifest,
    exports: Object.fromEntries(exports),
    bin: bins,
    devDependencies: {},
  }
  await writeFile(join(root, 'package.json'), JSON.stringify(built))
}

function environment(home: string, ports: ReadonlyMap<number, number>): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: home,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    DRAGOMAN_PORT: `${ports.get(8787)}`,
    DRAGOMAN_ADMIN_PORT: `${ports.get(8788)}`,
    // The examples depend on this checkout alone.
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
}

/** A free port for each that the examples show, all different. */
async function freePorts(): Promise<Map<number, number>> {
  const servers = shownPorts.map(() => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  await Promise.all(servers.map((server) => once(server, 'close')))
  return new Map(shownPorts.map((shown, index) => [shown, ports[index] ?? 0]))
}
