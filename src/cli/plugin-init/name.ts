import { builtinModules } from 'node:module'

import { checkConfiguration } from '../../configuration/resolve.ts'
import { UsageError } from '../command.ts'
import { programName } from '../hints.ts'
import { idleServices, planGateway } from '../plan.ts'

/** In characters, as npm limits it. */
const longestName = 214

const part = /^[a-z0-9][a-z0-9._-]*$/

const reserved: ReadonlySet<string> = new Set([
  'dragoman',
  'node_modules',
  'favicon.ico',
  ...builtinModules,
])

/**
 * The name of a new package, which is the name of its plugin as well. Throws `UsageError` if npm does not accept
 * it, or a plugin of the gateway has it.
 */
export async function requirePackageName(operand: string | undefined): Promise<string> {
  if (!operand) {
    const example = `${programName()} plugin init @acme/dragoman-limits`
    throw new UsageError(`Which name has the package? \`${example}\``)
  }
  const fault = faultOf(operand)
  if (fault) {
    const meant = similarName(operand)
    const fix = meant === undefined ? 'Choose another name.' : `Write \`${meant}\`.`
    throw new UsageError(`"${operand}" cannot be the name of a package: ${fault}. ${fix}`)
  }
  if (await isOfGateway(operand)) {
    throw new UsageError(`The gateway has a plugin "${operand}". Write \`dragoman-${operand}\`.`)
  }
  return operand
}

/** The reason for which npm does not accept a name. */
function faultOf(name: string): string | undefined {
  if (reserved.has(name)) return 'the name is taken'
  if (name.length > longestName) return `npm accepts ${longestName} characters`
  const parts = name.startsWith('@') ? name.slice(1).split('/') : [name]
  const isWhole = parts.length === (name.startsWith('@') ? 2 : 1)
  if (isWhole && parts.every((one) => part.test(one))) return undefined
  return 'npm accepts NAME or @SCOPE/NAME, of small letters, digits, ".", "_" and "-", which begin with a letter or digit'
}

/** The name that was probably meant. */
function similarName(name: string): string | undefined {
  const parts = name.split('/').map(accepted).filter(Boolean)
  const similar = name.startsWith('@') && parts.length > 1 ? `@${parts.join('/')}` : parts.join('-')
  return faultOf(similar) === undefined ? similar : undefined
}

function accepted(part: string): string {
  return part
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '')
}

/** Whether a plugin of the shipped pipeline has this name. */
async function isOfGateway(name: string): Promise<boolean> {
  const checked = checkConfiguration({ plugins: [{ name }] }, { env: {} })
  const { problems } = await planGateway(checked, idleServices())
  return problems.some(({ path }) => path === 'plugins[0].name')
}
