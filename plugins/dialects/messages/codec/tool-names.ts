import { hash } from 'node:crypto'
import type { GenerateRequest } from '../../../../src/generate/request.ts'

const fits = /^[a-zA-Z0-9_-]{1,64}$/

/** A tool's name as accounts take it. Different names stay different. */
export function safeToolName(name: string): string {
  if (fits.test(name)) return name
  const digest = hash('sha256', name, 'hex').slice(0, 8)
  return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${digest}`
}

/** Finds the name that the client gave a tool from the one that the account knows. */
export function toolNamesOf({ tools }: GenerateRequest): (name: string) => string {
  const changed = tools.filter(({ name }) => !fits.test(name))
  if (changed.length === 0) return same
  const originals = new Map(changed.map(({ name }) => [safeToolName(name), name]))
  return (name) => originals.get(name) ?? name
}

function same(name: string): string {
  return name
}
