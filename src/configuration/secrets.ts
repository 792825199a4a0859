import { nearest } from '../lib/nearest.ts'
import type { Problem } from '../contract/problems.ts'
import { readSecretFile } from './secret-files.ts'

/** The environment variables of a process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** Stands for a secret where settings are shown. */
export const secretMask = 'set'

/** Where a secret is: in a variable, in a file, or in the setting itself. */
type SecretPlace = 'env' | 'file' | 'literal'

/** The place that the setting of a secret names. */
export function placeOfSecret(setting: string): SecretPlace {
  if (setting.startsWith('env:')) return 'env'
  return setting.startsWith('file:') ? 'file' : 'literal'
}

/** Whether a text names the place of a secret, and so contains none. */
export function isReference(text: string): boolean {
  return /^(?:env:[A-Za-z_]\w{0,127}|file:\/(?!\/).*)$/s.test(text)
}

/** The setting of a secret as operators see it: the place that it names, or that there is one. */
export function shownSecret(setting: string): string {
  return isReference(setting) ? setting : secretMask
}

/**
 * Resolves a secret: `env:NAME` is replaced by that environment variable, and `file:/path` by the
 * content of that file without one line break at its end. Returns `undefined` and adds a problem if the
 * secret is missing or invalid. No problem repeats a secret.
 */
export function resolveSecret(
  setting: string,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  const found = findSecret(setting, environment)
  if ('message' in found) {
    problems.push({ path, ...found })
    return undefined
  }
  const { secret, place } = found
  // The secret must be a valid header value.
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  problems.push({
    path,
    message: `${place} contains spaces, line breaks or characters beyond ASCII`,
    fix: 'check for a line break at its end, or for copied quotes',
  })
  return undefined
}

/** The secret and its place in words, or a problem without its path. */
type FoundSecret = { readonly secret: string; readonly place: string } | Omit<Problem, 'path'>

/** Finds a secret as `resolveSecret` does, and leaves it as it is. `mostBytes`: of its file. */
export function findSecret(
  setting: string,
  environment: EnvironmentVariables,
  mostBytes?: number,
): FoundSecret {
  switch (placeOfSecret(setting)) {
    case 'env': {
      const name = setting.slice('env:'.length)
      const secret = environment[name]
      if (secret) return { secret, place: `the environment variable ${name}` }
      return missingVariable(name, secret, environment)
    }
    case 'file': {
      const file = setting.slice('file:'.length)
      const read = readSecretFile(file, mostBytes)
      if (read.secret === undefined) return { message: read.message, fix: read.fix }
      return { secret: read.secret, place: `the file ${JSON.stringify(file)}` }
    }
    case 'literal':
      return { secret: setting, place: 'the secret' }
  }
}

function missingVariable(
  name: string,
  value: string | undefined,
  environment: EnvironmentVariables,
): Omit<Problem, 'path'> {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return {
      // The text is not repeated: it may be the secret itself.
      message: 'env: is not followed by the name of an environment variable',
      fix: 'write env: followed by the name of the variable, for example env:OPENAI_API_KEY',
    }
  }
  const meant = nearest(name, Object.keys(environment))
  return {
    message: `the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}`,
    fix: `set ${name} before the gateway starts`,
    ...(meant && meant !== name && { hint: `did you mean ${meant}?` }),
  }
}
