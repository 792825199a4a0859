import { type ModelFacts, modelFacts } from '../../../shared/blocks/models.ts'

/**
 * The families of models that differ in their own fields (`additionalModelRequestFields`): Anthropic's, those of OpenAI,
 * and others, whose fields have no translation.
 */
type Family = 'claude' | 'gpt' | 'other'

/** What a request depends on in its model. */
export interface ModelTraits {
  readonly family: Family
  /** Where the model takes cache points: everywhere, or in texts of prompts without results of tools. */
  readonly caches: 'all' | 'texts' | 'none'
  readonly facts: ModelFacts
}

/** An id begins with its vendor, perhaps after the regions of an inference profile: `us.meta.llama...`. */
const vendorPattern = /^(?:(?:[a-z]{2,6}|us-gov)\.)?([a-z0-9]{2,32})\./

/**
 * Returns what a request depends on in its model. A model whose name says nothing, such as an inference profile of an
 * own, counts as one of Anthropic's.
 */
export function traitsOf(model: string): ModelTraits {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const facts = modelFacts(name)
  const [, vendor] = vendorPattern.exec(name) ?? []
  if (facts.known || vendor === undefined || vendor === 'anthropic') {
    return { family: 'claude', facts, caches: 'all' }
  }
  return {
    family: vendor === 'openai' ? 'gpt' : 'other',
    facts: { ...facts, takesPrefill: false },
    caches: vendor === 'amazon' ? 'texts' : 'none',
  }
}
