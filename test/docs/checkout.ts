import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { repository } from './pages.ts'
import { type Shell, type Shells, openShells, printed } from './shells.ts'

/** A directory like a fresh checkout, where commands of the pages run as they are written. */
export interface Checkout extends Shells {
  write(name: string, content: string): Promise<void>
}

const linked = ['src', 'plugins', 'config', 'examples', 'scripts', 'node_modules', 'tsconfig.json']

/** Gateways without the admin API, for pages that ask no operator: its modules are nearly half of the work of a start. */
export const withoutAdmin = { DRAGOMAN_ADMIN: 'off' }

/** Opens a checkout, whose commands have these environment variables too. */
export async function openCheckout(env: Record<string, string> = {}): Promise<Checkout> {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-docs-'))
  await cp(join(repository, 'package.json'), join(path, 'package.json'))
  for (const name of linked) await symlink(join(repository, name), join(path, name))
  const shells = openShells(path, {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HOME: path,
    DRAGOMAN_PORT: '0',
    DRAGOMAN_ADMIN_PORT: '0',
    ...env,
  })
  return {
    ...shells,
    write: (name, content) => writeFile(join(path, name), content),
    async [Symbol.asyncDispose]() {
      await shells[Symbol.asyncDispose]()
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** The addresses of a gateway. */
export interface Serving {
  readonly clients: string
  readonly admin: string
}

/** The addresses that a gateway says it listens on; without an admin API, `admin` is empty. */
export async function serving(server: Shell): Promise<Serving> {
  const [, clients = '', admin = ''] = await printed(
    server,
    /\blisten\w+ on (http:\S+?)(?:,| \(API\)(?:;| and)) (?:.*?(http:\S+?)(?:\.\s| \(admin\))|the admin API is off\.)/i,
  )
  return { clients, admin }
}

/** The API key that a first start prints. */
export async function firstKey(server: Shell): Promise<string> {
  const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
  return key
}
