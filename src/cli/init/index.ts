import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { findConfiguration } from '../../configuration/discover.ts'
import { nearestPackage } from '../../configuration/load.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { programName } from '../hints.ts'
import { packageDirectory, schemaPath } from '../versions.ts'
import { environmentOf, suggestAccounts, typeScriptOf, yamlOf } from './templates.ts'

/**
 * `dragoman init`: writes a configuration that `check` accepts, and `.env.example`. Overwrites nothing: with
 * a configuration in the directory it fails and writes no file, and an existing `.env.example` stays.
 */
export async function run({ options, terminal }: Invocation): Promise<number> {
  const { cwd, env, say } = terminal
  const wantsYaml = options['yaml'] !== undefined
  if (wantsYaml && options['ts'] !== undefined)
    throw new UsageError('Choose one of --ts and --yaml.')
  const known = findConfiguration(cwd)
  if (known !== undefined) throw exists(known)
  const accounts = suggestAccounts(env)
  const name = wantsYaml ? 'dragoman.config.yaml' : moduleName(cwd)
  const text = wantsYaml ? yamlOf(accounts, schemaFrom(cwd)) : typeScriptOf(accounts)
  if (!(await create(join(cwd, name), text))) throw exists(join(cwd, name))
  const hasExample = await create(join(cwd, '.env.example'), environmentOf(accounts))
  const example = hasExample ? ' and .env.example' : '; .env.example exists and stays as it is'
  say(`Wrote ${name}${example}.`)
  say(nextSteps(accounts.some(({ isUsable }) => isUsable)).join('\n'))
  return 0
}

/** Node would read a `.ts` file in a package of CommonJS as CommonJS. */
function moduleName(directory: string): string {
  const isCommonJs = nearestPackage(directory)?.type === 'commonjs'
  return isCommonJs ? 'dragoman.config.mts' : 'dragoman.config.ts'
}

/** The path of the JSON Schema from a directory: where npm installs the package, or in a checkout. */
function schemaFrom(directory: string): string {
  const installed = `./node_modules/dragoman/${schemaPath}`
  if (existsSync(join(directory, installed))) return installed
  const path = relative(directory, join(packageDirectory(), schemaPath)).replaceAll('\\', '/')
  return path.startsWith('..') ? installed : `./${path}`
}

/** Creates a file; false if there is one, or a link, of this name. Rejects with `CommandError`. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw new CommandError(`${path} cannot be written (${code}).`, { cause })
  }
}

function exists(path: string): CommandError {
  return new CommandError(`${path} exists already: nothing is written.`)
}

function nextSteps(hasAccount: boolean): string[] {
  const program = programName()
  return [
    'Next:',
    '  cp .env.example .env            # then fill in the credentials of your providers',
    '  set -a; . ./.env; set +a',
    ...(hasAccount
      ? []
      : ['  # then remove the comment marks of these accounts in the configuration']),
    `  ${program} check`,
    `  ${program} doctor`,
    `  ${program} keys create team-a`,
    `  ${program.replace(/ --$/, '')}`,
  ]
}
