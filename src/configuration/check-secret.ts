import type { Problem } from '../contract/problems.ts'
import { hashSecret } from '../stores/key-secret.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'

/** How `checkHash` reads the entries of a list. */
interface HashOptions {
  readonly env: EnvironmentVariables
  readonly problems: Problem[]
  /** The name of an environment variable for the example of a fix. */
  readonly example: string
  /** The fewest characters of a secret. Absent: one. */
  readonly shortest?: number
  /** Gets the paths of secrets that are permitted and shorter than is wise. */
  readonly short?: string[]
}

/** Secrets of fewer characters can be guessed. */
export const leastSecret = 20

/**
 * The hash of the secret of an API key or an admin token, in lower case. Independent of its other
 * fields, so that one run reports every problem.
 */
export function checkHash(
  entry: unknown,
  path: string,
  { env, problems, example, shortest = 1, short }: HashOptions,
): string | undefined {
  const { secret, hash } = (entry ?? {}) as { secret?: unknown; hash?: unknown }
  if (typeof entry === 'object' && (secret === undefined) === (hash === undefined)) {
    problems.push(oneOfTwo(path, secret !== undefined, example))
    return undefined
  }
  if (typeof hash === 'string') return hash.toLowerCase()
  if (typeof secret !== 'string' || secret === '') return undefined
  const resolved = resolveSecret(secret, `${path}.secret`, env, problems)
  if (resolved !== undefined && resolved.length < shortest) {
    problems.push(shortSecret(`${path}.secret`, resolved, shortest))
    return undefined
  }
  if (resolved !== undefined && resolved.length < leastSecret) short?.push(`${path}.secret`)
  return resolved && hashSecret(resolved)
}

function oneOfTwo(path: string, both: boolean, example: string): Problem {
  return {
    path,
    message: both ? 'has both secret and hash' : 'has neither secret nor hash',
    fix: `give one of the two, for example secret: "env:${example}"`,
  }
}

/** A secret that can be guessed. */
export function shortSecret(path: string, secret: string, shortest: number): Problem {
  return {
    path,
    message: `has ${secret.length} characters, but an admin token has at least ${shortest}`,
    fix: 'set it to random characters, for example the output of `openssl rand -hex 32`',
  }
}

/** Two entries with one secret, of which the gateway finds only one. */
export function sameSecret(path: string, twin: string, noun: string): Problem {
  return {
    path,
    message: `has the same secret as ${twin}, so the gateway cannot distinguish the two`,
    fix: `give each ${noun} its own secret`,
  }
}
