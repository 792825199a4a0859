import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const repository = join(import.meta.dirname, '../../..')

/** One step of a Dockerfile: `COPY --from=build /image /`. */
export interface Instruction {
  /** In capitals: `COPY`. */
  readonly keyword: string
  /** `--from=build` as `{ from: 'build' }`. */
  readonly flags: Readonly<Record<string, string>>
  /** What follows, without continuations and comments. */
  readonly rest: string
}

/** The steps from one `FROM` to the next. */
export interface Stage {
  readonly base: string
  readonly name: string
  readonly instructions: readonly Instruction[]
}

/** Reads the shipped Dockerfile with the defaults of its arguments. */
export function readDockerfile(path = join(repository, 'deploy/Dockerfile')): Stage[] {
  const stages: { base: string; name: string; instructions: Instruction[] }[] = []
  const globals = new Map<string, string>()
  for (const { keyword, flags, rest } of instructionsIn(readFileSync(path, 'utf8'))) {
    const stage = stages.at(-1)
    if (keyword === 'FROM') {
      const [base = '', as = '', name = ''] = substitute(rest, globals).split(/\s+/)
      if (as !== '' && as !== 'AS') throw new Error(`FROM ${rest} is not understood.`)
      stages.push({ base, name, instructions: [] })
    } else if (stage) {
      stage.instructions.push({ keyword, flags, rest })
    } else {
      if (keyword !== 'ARG') throw new Error(`${keyword} before FROM is not understood.`)
      const [name, value] = argument(rest)
      globals.set(name, value)
    }
  }
  return stages
}

/** The name and the default of `ARG NAME=default`. */
export function argument(rest: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^(\w+)(?:=(\S*))?$/.exec(rest) ?? []
  if (name === '') throw new Error(`ARG ${rest} is not understood.`)
  return [name, value]
}

/** Replaces `${NAME}`. Throws for a name that has no value. */
export function substitute(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (written, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`${written} has no value.`)
    return value
  })
}

/** The pairs of `ENV A=b C="d e"` and `LABEL`. */
export function pairsIn(rest: string): [name: string, value: string][] {
  const pairs = [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))\s*/g)]
  if (pairs.map(([all]) => all).join('') !== rest) throw new Error(`${rest} is not understood.`)
  return pairs.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''])
}

/** The words of the exec form, `["dragoman"]`. Throws for the shell form, which the image has no shell for. */
export function wordsOf(rest: string): string[] {
  if (!rest.startsWith('[')) throw new Error(`${rest} needs a shell.`)
  return JSON.parse(rest) as string[]
}

function instructionsIn(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line))
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '')
  return joined
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, keyword = '', flags = '', rest = ''] =
        /^([A-Z]+)\s+((?:--[a-z-]+=\S+\s+)*)(.*)$/.exec(line) ?? []
      if (keyword === '') throw new Error(`The line "${line}" of the Dockerfile is not understood.`)
      const entries = [...flags.matchAll(/--([a-z-]+)=(\S+)/g)]
      return {
        keyword,
        flags: Object.fromEntries(entries.map(([, name = '', value = '']) => [name, value])),
        rest: rest.trim(),
      }
    })
}

/** The files and folders that the build gets: those that `Dockerfile.dockerignore` takes out of its `*`. */
export function readContext(): string[] {
  const path = join(repository, 'deploy/Dockerfile.dockerignore')
  const lines = readFileSync(path, 'utf8').split('\n')
  const [all, ...kept] = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (all !== '*' || !kept.every((line) => /^![\w.-]+$/.test(line)))
    throw new Error('Dockerfile.dockerignore is not understood.')
  return kept.map((line) => line.slice(1))
}
