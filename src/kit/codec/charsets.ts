import { MIMEType } from 'node:util'

import { refused } from './read.ts'

/** The longest media type whose parameters are read, in characters: to read them takes time. */
const longest = 1000

/**
 * The charset that a media type names, in lower case. As in MIME the first `charset` parameter counts, and a quoted
 * text contains no parameters. Default: UTF-8, which includes ASCII. Throws `GatewayError` 400 for malformed ones.
 */
export function charsetOf(mediaType: string, field: string | undefined): string {
  if (!mediaType.includes(';')) return utf8
  if (mediaType.length > longest) throw refused('The media type of the file is too long.', field)
  return nameOf(parsed(mediaType, field).params.get('charset') ?? utf8)
}

/** All charsets that a reader may find in a media type who knows no quotes, or takes the last one of several. */
export function charsetsIn(mediaType: string): ReadonlySet<string> {
  const found = mediaType.matchAll(/charset\s{0,9}=\s{0,9}["']?([\w:.+-]{1,40})/gi)
  return new Set([...found].map(([, named = '']) => nameOf(named)))
}

/** Whether this is the name of UTF-8. */
export function isUtf8(charset: string): boolean {
  return charset === utf8
}

/** The charsets in which a byte of ASCII is always this character: no other character has it within. */
const supersets =
  /^(?:windows-(?:125\d|874)|iso-8859-\w+|koi8-[ru]|macintosh|x-mac-cyrillic|ibm866|euc-jp)$/

/**
 * Whether bytes that are ASCII have the same text in a charset. In UTF-16, ISO-2022-JP, Shift_JIS and others they may
 * have another one. Throws for a charset that is not known.
 */
export function keepsAscii(charset: string): boolean {
  return supersets.test(new TextDecoder(charset).encoding)
}

const utf8 = 'utf-8'

const utf8Names: ReadonlySet<string> = new Set(['', utf8, 'utf8', 'us-ascii'])

function nameOf(label: string): string {
  const name = label.trim().toLowerCase()
  return utf8Names.has(name) ? utf8 : name
}

function parsed(mediaType: string, field: string | undefined): MIMEType {
  try {
    return new MIMEType(mediaType)
  } catch {
    throw refused('The media type of the file is malformed.', field)
  }
}
