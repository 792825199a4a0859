import { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { isOwnHeader, isSecretHeader } from '../exchange/refused-names.ts'
import { expects } from './schema-nodes.ts'
import { type EnvironmentVariables, findSecret, placeOfSecret } from './secrets.ts'

/** The bounds of the headers of an account: servers take about 8 to 16 KiB of headers in all. */
const mostHeaders = 32
const longestValue = 8 * 1024
const mostCharacters = 16 * 1024

/** The schema of `accounts[].headers`. `resolveHeaders` checks names and values. */
export const accountHeadersSchema = z.record(z.string(), z.string()).meta({
  ...expects('headers by name, each a text, env:NAME or file:/path', {
    'x-team': 'research',
  }),
  secret: true,
})

/** The headers of an account, ready for use. */
interface ResolvedHeaders {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The values that no reply, log or trace may repeat. */
  readonly secrets: readonly string[]
}

/**
 * Checks the headers of an account and replaces `env:NAME` and `file:/path` by the value of the variable or file.
 * Adds problems, none of which repeats a value.
 */
export function resolveHeaders(
  written: Readonly<Record<string, string>>,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): ResolvedHeaders {
  const headers: Record<string, string> = {}
  const secrets: string[] = []
  for (const [name, setting] of Object.entries(written)) {
    const lower = name.toLowerCase()
    const found = headerFault(lower, headers) ?? valueOf(setting, environment)
    if (typeof found !== 'string') {
      problems.push({ path: isToken(name) ? `${path}.${name}` : path, ...found })
      continue
    }
    headers[lower] = found
    if (placeOfSecret(setting) !== 'literal' || isSecretHeader(lower))
      secrets.push(...partsOf(found))
  }
  const excess = excessOf(headers)
  if (excess) problems.push({ path, ...excess })
  return { headers, secrets }
}

type Fault = Omit<Problem, 'path'>

/** RFC 9110, 5.6.2. */
function isToken(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name)
}

/** Why an account may not have a header of this name, in lower case. */
function headerFault(name: string, known: Readonly<Record<string, string>>): Fault | undefined {
  if (!isToken(name)) {
    return {
      message: 'has a name that HTTP does not permit',
      fix: 'use letters, digits and hyphens, for example x-team',
    }
  }
  if (Object.hasOwn(known, name)) {
    return { message: 'is there twice, in different cases', fix: 'remove one of the two' }
  }
  if (name === 'traceparent' || name === 'tracestate') {
    return { message: 'belongs to each request', fix: 'remove it' }
  }
  if (!isOwnHeader(name)) return undefined
  return {
    message: 'is a header that the gateway sets itself, for each request or connection',
    fix: 'remove it',
  }
}

function valueOf(setting: string, environment: EnvironmentVariables): string | Fault {
  const found = findSecret(setting, environment)
  if ('message' in found) return found
  const { secret, place } = found
  const subject = placeOfSecret(setting) === 'literal' ? 'the value' : place
  if (secret.length > longestValue) {
    return { message: `${subject} has more than ${longestValue} characters`, fix: 'shorten it' }
  }
  // RFC 9110, 5.5, without text beyond ASCII.
  if (/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(secret)) return secret
  return {
    message: `${subject} is empty, begins or ends with a space, or has line breaks or characters beyond ASCII`,
    fix: 'check for a line break at its end',
  }
}

function excessOf(headers: Readonly<Record<string, string>>): Fault | undefined {
  const entries = Object.entries(headers)
  if (entries.length > mostHeaders) {
    return { message: `has more than ${mostHeaders} headers`, fix: 'remove some' }
  }
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (characters <= mostCharacters) return undefined
  return { message: `has more than ${mostCharacters} characters in all`, fix: 'shorten the values' }
}

/** A shorter text is part of ordinary words. */
const shortestSecret = 8

/** The value, and a credential behind its scheme: `Basic ...`. */
function partsOf(value: string): string[] {
  const [, behindScheme = ''] = /^\w+ +(\S+)$/.exec(value) ?? []
  return [value, behindScheme].filter(({ length }) => length >= shortestSecret)
}
