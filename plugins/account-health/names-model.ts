import type { Outcome } from '../../src/contract/outcome.ts'

/**
 * Whether the provider's message of a refusal names a model. A refusal of another model, which a tool of
 * the request may name, says nothing about this one.
 */
export function namesModel({ error }: Outcome, model: string): boolean {
  // The caller's error hides the provider's, which is its cause.
  const cause: unknown = error?.cause
  const message = (cause instanceof Error ? cause : error)?.message ?? ''
  return new RegExp(`(?<![\\w./-])${RegExp.escape(model)}(?![\\w/-]|\\.\\w)`).test(message)
}
