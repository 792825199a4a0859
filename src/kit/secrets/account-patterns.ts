import type { Account, Root } from '../../contract/account.ts'
import type { AccountCredential } from '../../contract/credential.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { shortestSecret } from './mask.ts'

/** The patterns of the texts about an account that its clients must not see. */
interface AccountPatterns {
  /** Its key, plain, percent-encoded, and in base64 as in `Authorization: Basic`. */
  readonly secret: TextPattern | undefined
  /** Its origin, host, port and base path. */
  readonly place: TextPattern
  /** The length of the shortest text that can match, in characters. */
  readonly shortest: number
}

/** A form that texts are searched for, and the text whose letters and digits all matches of it contain. */
interface Alternative {
  readonly source: string
  readonly text: string
}

/**
 * A pattern of several forms, in any case. Nearly no text contains one, and to compile the pattern takes longer than all
 * else of a short call: `redact` compiles it for the first text that has all words of a form.
 */
export interface TextPattern {
  readonly source: string
  /** The words of letters and digits of each form, in lower case: no escape changes them. */
  readonly words: readonly (readonly string[])[]
  compiled: RegExp | undefined
}

function patternOf(alternatives: readonly Alternative[]): TextPattern {
  return {
    source: [...new Set(alternatives.map(({ source }) => source))].join('|'),
    words: alternatives.map(({ text }) => text.toLowerCase().match(/[a-z\d]+/g) ?? []),
    compiled: undefined,
  }
}

/** In characters. A shorter host name is part of ordinary words. */
const shortestName = 3
/** A segment of a base path that long is rarely a word like `openai`, and may be a key of a proxy. */
const shortestSegment = 8
const shortestBase64 = 8

/** Returns the patterns of an account. They are compiled once, and again when its credential is renewed. */
export const patternsOf = computedOnce((account: Account): AccountPatterns => {
  const { authorizer } = account
  return authorizer ? renewedPatterns(account, authorizer) : compile(account, [])
})

/** The patterns of the secrets that the credential has at the moment. */
function renewedPatterns(account: Account, authorizer: AccountCredential): AccountPatterns {
  let held = authorizer.secrets
  let patterns = compile(account, held ?? [])
  const present = () => {
    if (authorizer.secrets !== held) {
      held = authorizer.secrets
      patterns = compile(account, held ?? [])
    }
    return patterns
  }
  return {
    get secret() {
      return present().secret
    },
    get place() {
      return present().place
    },
    get shortest() {
      return present().shortest
    },
  }
}

function compile(account: Account, renewing: readonly string[]): AccountPatterns {
  const { credential = '', secrets = [] } = account
  const others = [...secrets, ...renewing]
  const plain = [credential, ...others].filter(({ length }) => length >= shortestSecret)
  const encoded = plain.flatMap(inBase64).map(eitherBase64)
  const roots = [account, ...Object.values(account.roots ?? {})].map(placesOf)
  const found = [...plain.map(anyFormOf), ...encoded.map((source) => ({ source, text: source }))]
  const shortest = [...plain, ...encoded].map(({ length }) => length)
  return {
    secret: found.length > 0 ? patternOf(found) : undefined,
    place: patternOf(roots.flatMap(({ patterns }) => patterns)),
    shortest: Math.min(...shortest, ...roots.map((one) => one.shortest)),
  }
}

/** The patterns of where an account is asked, and the length of the shortest text that can match one. */
function placesOf({ origin, basePath }: Root): { patterns: Alternative[]; shortest: number } {
  const { host, hostname, port } = new URL(origin)
  const texts = [origin, ...(port === '' ? [] : [host]), ...pathsOf(basePath)]
  return {
    patterns: [
      ...texts.map(anyFormOf),
      ...(hostname.length < shortestName ? [] : [{ source: wholeName(hostname), text: hostname }]),
      ...(port === '' ? [] : [{ source: `(?<=:|%3a|port\\W{1,3})${port}(?!\\d)`, text: port }]),
    ],
    shortest: Math.min(
      ...[hostname, ...pathsOf(basePath)].map(({ length }) => length),
      ...(port === '' ? [] : [port.length]),
    ),
  }
}

/** The base path, also without its version, and its longer segments. A version alone is no secret. */
function pathsOf(basePath: string): string[] {
  const withoutVersion = basePath.replace(/\/v\d+[a-z0-9]*$/, '')
  if (withoutVersion === '') return []
  const segments = decoded(withoutVersion).split('/')
  const long = segments.filter(({ length }) => length >= shortestSegment)
  return [basePath, withoutVersion, ...long].filter(({ length }) => length > shortestName)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A name of one label, such as `api`, only as a whole word. */
function wholeName(hostname: string): string {
  const name = inAnyForm(hostname)
  return /[.:]/.test(hostname) ? name : `(?<![\\w-])${name}(?![\\w-])`
}

/** The characters that HTML escapes, and their names. */
const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
}

/**
 * A pattern of a text, whose special characters may be percent-encoded, also several times, or escaped as in JSON
 * or HTML.
 */
function inAnyForm(text: string): string {
  return Array.from(text)
    .map((character) => (/[a-z\d]/i.test(character) ? character : inAnyEscape(character)))
    .join('')
}

function anyFormOf(text: string): Alternative {
  return { source: inAnyForm(text), text }
}

function inAnyEscape(character: string): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16)
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const inJson = units.map((unit) => `u${unit.toString(16).padStart(4, '0')}`).join('\\\\{1,4}')
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'))
  const inUrl = bytes.map((byte) => `%(?:25){0,4}${byte}`).join('')
  const name = htmlNames[character]
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
  const inHtml = `&(?:amp;){0,4}(?:#0*${code}|#x0*${hex}${name === undefined ? '' : `|${name}`});`
  // Each begins with another character, so that the search does not try one after another.
  return `(?:${plain}|\\\\{1,4}(?:${plain}|${inJson})|${inUrl}|${inHtml})`
}

/**
 * The characters that every base64 text contains in which the key stands: one text for each of the three
 * places where the key can begin within a group of three bytes.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url')
    // The first characters depend on the bytes before, the last one on those after.
    const first = [0, 2, 3][before]
    const last = ((before + bytes.length) * 8) % 6 === 0 ? undefined : -1
    const core = whole.slice(first, last)
    return core.length >= shortestBase64 ? [core] : []
  })
}

function eitherBase64(text: string): string {
  return text.replaceAll('-', '[-+]').replaceAll('_', '[_/]')
}
