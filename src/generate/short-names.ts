import { hash } from 'node:crypto'

/** The name of a user or a cache, which has 64 characters at most and only needs to stay the same. */
export function shortName(name: string): string {
  return name.length <= 64 ? name : hash('sha256', name, 'hex')
}

/** The name of a schema, in the letters that providers take. */
export function schemaName(name = ''): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
}
