import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { parse } from 'yaml'

export const repository = join(import.meta.dirname, '../../..')

export const folder = join(repository, 'deploy/compose')

/** A service of the shipped project, as far as tests look at it. */
interface Service {
  readonly image?: string
  readonly entrypoint?: readonly string[]
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly stop_grace_period?: string
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>
}

interface Project {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

/** Reads a file of the shipped project: `compose.yaml`. */
export async function readProject(name = 'compose.yaml'): Promise<Project> {
  return parse(await readFile(join(folder, name), 'utf8'), { merge: true }) as Project
}

/** A service that the project has. */
export function serviceOf({ services }: Project, name: string): Service {
  const service = services[name]
  if (!service) throw new Error(`The project has no service ${name}.`)
  return service
}

/** A copy of the project with secrets of its own, as the page tells users to make them. */
interface Copy extends AsyncDisposable {
  readonly path: string
  /** Reads a file of the copy. */
  read(name: string): Promise<string>
  /** `secrets/gateway.env`, as the gateways have it. */
  readonly variables: Readonly<Record<string, string>>
}

export async function copyProject(): Promise<Copy> {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-compose-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  const path = join(root, 'deploy/compose')
  await mkdir(join(root, 'deploy'))
  await cp(folder, path, { recursive: true, filter: (from) => !from.endsWith('/secrets') })
  await promisify(execFile)(join(path, 'make-secrets.sh'))
  const read = (name: string) => readFile(join(path, name), 'utf8')
  const lines = (await read('secrets/gateway.env')).matchAll(/^(\w+)=(.*)$/gm)
  const disposal = cleanup.move()
  return {
    path,
    read,
    variables: Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value])),
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}
