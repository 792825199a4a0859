import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parseAllDocuments, stringify } from 'yaml'

import { type Outcome, installHelm, installKubernetesValidate, runTool } from '../tools.ts'

const deploy = join(import.meta.dirname, '../../../deploy')

export const chart = join(deploy, 'helm/dragoman')

/** The sets of values that are shipped beside the chart. */
export const sets = ['minimal', 'production', 'autoscaled'] as const

export type SetName = (typeof sets)[number]

/** An object of Kubernetes. Tests know what they look for in it. */
export interface Manifest {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: Tree
  readonly data?: Readonly<Record<string, string>>
}

/** A part of an object, by its members and elements. */
export interface Tree {
  readonly [name: string]: Tree
}

/** Values in place of, or besides, those of a shipped set. */
export type Values = Readonly<Record<string, unknown>>

/** Renders a shipped set of values as `helm template` does. Never rejects. */
export async function render(set: SetName, more: Values = {}): Promise<Outcome> {
  return withValues(set, more, (files) => ['template', 'llm', chart, '--namespace', 'ai', ...files])
}

/** Lints the chart with a shipped set of values; warnings count. */
export function lint(set: SetName): Promise<Outcome> {
  return withValues(set, {}, (files) => ['lint', chart, '--strict', ...files])
}

async function withValues(
  set: SetName,
  more: Values,
  words: (files: readonly string[]) => readonly string[],
): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-chart-'))
  try {
    const extra = join(directory, 'more.yaml')
    await writeFile(extra, stringify(more))
    // The version whose schemas judge the objects; helm itself would assume an old one.
    const version = ['--kube-version', '1.37.0']
    const files = [
      ...version,
      '--values',
      join(deploy, `helm/values/${set}.yaml`),
      '--values',
      extra,
    ]
    return await runTool(await installHelm(), words(files))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The rendered objects of a set. Rejects if the chart refuses the values. */
export async function manifestsOf(set: SetName, more?: Values): Promise<Manifest[]> {
  const { code, stdout, stderr } = await render(set, more)
  if (code !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
}

/** What the schemas of Kubernetes find wrong in objects, in strict mode; nothing if all is right. */
export async function faultsOf(manifests: readonly Manifest[]): Promise<string> {
  const packages = await installKubernetesValidate()
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-manifests-'))
  try {
    const file = join(directory, 'manifests.yaml')
    await writeFile(file, manifests.map((manifest) => stringify(manifest)).join('---\n'))
    const words = ['-m', 'kubernetes_validate', '--strict', '-k', '1.37', file]
    const { code, stdout, stderr } = await runTool('python3', words, {
      env: { PYTHONPATH: packages },
    })
    return code === 0 ? '' : stdout + stderr
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
