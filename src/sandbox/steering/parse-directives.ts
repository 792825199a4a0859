import { badRequest } from '../problem.ts'
import { type Directives, directiveTable, isDirectiveName } from './directives.ts'
import { readValue } from './values.ts'

/** Parses `name=value; name=value`, the content of the header `x-sandbox`. Throws a 400. */
export function parseHeaderDirectives(header: string): Directives {
  return parse(header.split(';'))
}

/**
 * Parses the directives in a model name, joined with `+`: `sandbox/cut=3+words=20`. Throws a 400.
 *
 * A name that starts with `sandbox/` must consist of directives. In any other name, only a last
 * segment with an equals sign does: gateways rename models, and every name has to work.
 */
export function parseModelDirectives(model: string): Directives {
  const prefix = 'sandbox/'
  if (model.startsWith(prefix)) return parse(model.slice(prefix.length).split('+'))
  const lastSegment = model.slice(model.lastIndexOf('/') + 1)
  return lastSegment.includes('=') ? parse(lastSegment.split('+')) : {}
}

function parse(written: string[]): Directives {
  const entries = written
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '')
    .map(parseOne)
  return Object.fromEntries(entries)
}

function parseOne(directive: string): [string, true | number | string] {
  const equals = directive.indexOf('=')
  const name = (equals < 0 ? directive : directive.slice(0, equals)).trim()
  const written = equals < 0 ? undefined : directive.slice(equals + 1).trim()
  if (!isDirectiveName(name)) throw unknownDirective(name)
  return [name, readValue(name, directiveTable[name].kind, written)]
}

function unknownDirective(name: string): Error {
  const known = Object.keys(directiveTable).join(', ')
  return badRequest(`sandbox: unknown directive '${name}'. Known directives are: ${known}`)
}
