import { nearest } from '../lib/nearest.ts'
import type { Problem } from '../contract/problems.ts'

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * The secret that a setting stands for: itself, or the variable that `env:NAME` names. What is
 * wrong is added to `problems`; the answer is then `undefined`. No problem repeats a secret.
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
  // It travels in a header.
  if (secret && /^[\x21-\x7e]+$/.test(secret)) return secret
  problems.push({
    path,
    message: `${name ? `the environment variable ${name}` : 'the secret'} holds spaces, line breaks or characters beyond ASCII`,
    fix: 'check for a line break at its end, or quotes that were copied along',
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
      message: `"env:${name}" names no environment variable`,
      fix: 'write env: and the name of the variable, for example env:OPENAI_API_KEY',
    }
  }
  const meant = nearest(name, Object.keys(environment))
  return {
    path,
    message: `the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}`,
    fix: `set ${name} before the gateway starts${meant && meant !== name ? ` (did you mean ${meant}?)` : ''}`,
  }
}
