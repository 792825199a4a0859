import { nearest } from '../lib/nearest.ts'
import type { Problem } from '../contract/problems.ts'

/** The environment variables of a process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Resolves a secret: `env:NAME` is replaced by that environment variable. Returns `undefined` and adds
 * a problem if the secret is missing or invalid. No problem repeats a secret.
 */
export function resolveSecret(
  setting: string,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  const name = setting.startsWith('env:') ? setting.slice('env:'.length) : undefined
  const secret = name === undefined ? setting : environment[name]
  if (name !== undefined && !secret) {
    problems.push(missingVariable(name, path, secret, environment))
    return undefined
  }
  // The secret must be a valid header value.
  if (secret && /^[\x21-\x7e]+$/.test(secret)) return secret
  problems.push({
    path,
    message: `${name ? `the environment variable ${name}` : 'the secret'} contains spaces, line breaks or characters beyond ASCII`,
    fix: 'check for a line break at its end, or for copied quotes',
  })
  return undefined
}

function missingVariable(
  name: string,
  path: string,
  value: string | undefined,
  environment: EnvironmentVariables,
): Problem {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return {
      path,
      message: `"env:${name}" is not a valid name of an environment variable`,
      fix: 'write env: followed by the name of the variable, for example env:OPENAI_API_KEY',
    }
  }
  const meant = nearest(name, Object.keys(environment))
  return {
    path,
    message: `the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}`,
    fix: `set ${name} before the gateway starts${meant && meant !== name ? ` (did you mean ${meant}?)` : ''}`,
  }
}
