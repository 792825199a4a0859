import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import {
  type Instruction,
  type Stage,
  argument,
  pairsIn,
  readContext,
  readDockerfile,
  repository,
  substitute,
  wordsOf,
} from './dockerfile.ts'
import { prepareNodeRoot, runInNodeRoot } from './node-root.ts'

/** What a build makes, as an engine would know it. */
export interface Image extends AsyncDisposable {
  /** The root directory of its containers. */
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly directory: string
  /** `65532:65532` */
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
  readonly stopSignal: string
  readonly volumes: readonly string[]
  readonly ports: readonly string[]
}

type Draft = { -readonly [Name in Exclude<keyof Image, symbol>]: Image[Name] } & {
  readonly arguments: Map<string, string>
}

const run = promisify(execFile)

/**
 * Does what an engine does with the shipped Dockerfile, step by step, in directories of this machine. In
 * place of the Debian of `FROM node` is that of this machine, with the Node of the tests.
 */
export async function buildImage(): Promise<Image> {
  const work = await mkdtemp(join(tmpdir(), 'dragoman-image-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(work, { recursive: true, force: true }))
  // The user of a container reaches its root through this directory.
  await chmod(work, 0o755)
  const context = join(work, 'context')
  await mkdir(context)
  for (const name of readContext())
    await cp(join(repository, name), join(context, name), { recursive: true })

  const roots = new Map([['', context]])
  let draft: Draft | undefined
  for (const [index, stage] of readDockerfile().entries()) {
    draft = await buildStage(stage, join(work, String(index)), roots)
    roots.set(stage.name, draft.root)
  }
  if (!draft) throw new Error('The Dockerfile has no stage.')
  const disposal = cleanup.move()
  return { ...draft, [Symbol.asyncDispose]: () => disposal.disposeAsync() }
}

async function buildStage(
  { base, instructions }: Stage,
  root: string,
  roots: ReadonlyMap<string, string>,
): Promise<Draft> {
  await mkdir(root)
  const draft: Draft = {
    root,
    env: base === 'scratch' ? {} : await prepareNodeRoot(root, base),
    labels: {},
    directory: '/',
    user: '0:0',
    entrypoint: [],
    healthcheck: [],
    stopSignal: 'SIGTERM',
    volumes: [],
    ports: [],
    arguments: new Map(),
  }
  for (const instruction of instructions) {
    const step = steps[instruction.keyword]
    if (!step) throw new Error(`${instruction.keyword} is not understood.`)
    await step(draft, instruction, roots)
  }
  return draft
}

type Step = (
  draft: Draft,
  instruction: Instruction,
  roots: ReadonlyMap<string, string>,
) => void | Promise<void>

const steps: Readonly<Record<string, Step>> = {
  ARG: (draft, { rest }) => void draft.arguments.set(...argument(rest)),
  ENV(draft, { rest }) {
    draft.env = { ...draft.env, ...Object.fromEntries(pairsIn(rest)) }
  },
  LABEL(draft, { rest }) {
    const pairs = Object.fromEntries(pairsIn(substitute(rest, draft.arguments)))
    draft.labels = { ...draft.labels, ...pairs }
  },
  async WORKDIR(draft, { rest }) {
    await mkdir(join(draft.root, rest), { recursive: true })
    draft.directory = rest
  },
  USER: (draft, { rest }) => void (draft.user = rest),
  VOLUME: (draft, { rest }) => void (draft.volumes = [...draft.volumes, rest]),
  EXPOSE: (draft, { rest }) => void (draft.ports = rest.split(/\s+/)),
  STOPSIGNAL: (draft, { rest }) => void (draft.stopSignal = rest),
  ENTRYPOINT: (draft, { rest }) => void (draft.entrypoint = wordsOf(rest)),
  HEALTHCHECK: (draft, { rest }) => void (draft.healthcheck = wordsOf(rest.replace(/^CMD\s+/, ''))),
  RUN: ({ root, env, directory }, { rest, flags }) =>
    runInNodeRoot(root, { command: rest, env, directory, mount: flags['mount'] }),
  COPY: ({ root, directory }, { rest, flags }, roots) => {
    const source = roots.get(flags['from'] ?? '')
    if (source === undefined) throw new Error(`There is no stage ${flags['from']}.`)
    const words = rest.split(/\s+/)
    const target = join(root, words.at(-1)?.startsWith('/') ? '' : directory, words.at(-1) ?? '')
    const isFolder = /\/$|^\.$/.test(words.at(-1) ?? '')
    return copy(words.slice(0, -1), { source, target, isFolder, owner: flags['chown'] ?? '0:0' })
  },
}

interface Copying {
  readonly source: string
  readonly target: string
  /** Whether files go into the target under their own names. */
  readonly isFolder: boolean
  readonly owner: string
}

/** As `COPY`: of a folder its content, with modes and links as they are. */
async function copy(
  names: readonly string[],
  { source, target, isFolder, owner }: Copying,
): Promise<void> {
  for (const name of names) {
    const from = join(source, name)
    const { stdout } = await run('stat', ['--format=%F', from])
    const isDirectory = stdout.trim() === 'directory'
    const to = isDirectory || !isFolder ? target : join(target, basename(name))
    await mkdir(isDirectory ? to : dirname(to), { recursive: true })
    const words = isDirectory ? [`${from}/.`, to] : [from, to]
    await run('cp', ['--archive', '--no-preserve=ownership', ...words])
    // The root itself belongs to root: only what the step made is given away.
    if (owner !== '0:0') await run('chown', ['--recursive', owner, to])
  }
}

/** Makes what an engine adds to the root of each container. */
export async function addMountPoints({ root }: Image): Promise<void> {
  for (const name of ['proc', 'dev', 'sys']) await mkdir(join(root, name), { recursive: true })
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
}
