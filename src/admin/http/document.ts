import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  parse,
} from 'graphql'

import type { AdminLimits } from '../limits.ts'

/** The fields of a selection, with every fragment in the place where it is spread. */
interface Extent {
  readonly depth: number
  readonly fields: number
}

const nothing: Extent = { depth: 0, fields: 0 }

/**
 * Parses a document within limits. It is measured before it is validated: fragments that spread each other
 * twice ask for more than any walk over them could count. Throws `GraphQLError`.
 */
export function parseWithin(
  source: Parameters<typeof parse>[0],
  limits: AdminLimits,
): DocumentNode {
  const document = parseTokens(source, limits.tokens)
  const measure = createMeasure(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, fields } = measure(definition.selectionSet)
    if (depth > limits.depth) throw tooLarge(`nests fields ${limits.depth} deep at most`)
    if (fields > limits.fields) throw tooLarge(`has ${limits.fields} fields at most`)
  }
  return document
}

/** Only the message of GraphQL's error distinguishes a document of too many tokens from a faulty one. */
function parseTokens(source: Parameters<typeof parse>[0], maxTokens: number): DocumentNode {
  try {
    return parse(source, { maxTokens })
  } catch (error) {
    const isLong = error instanceof GraphQLError && error.message.includes(`${maxTokens} tokens`)
    throw isLong ? tooLarge(`has ${maxTokens} tokens at most`) : error
  }
}

/** Each fragment is measured once, so that the time grows with the document, not with what it asks for. */
function createMeasure({ definitions }: DocumentNode): (selections: SelectionSetNode) => Extent {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  const known = new Map<string, Extent>()

  function ofFragment(name: string): Extent {
    const before = known.get(name)
    if (before) return before
    // A fragment within itself counts as nothing here; validation refuses it.
    known.set(name, nothing)
    const fragment = fragments.get(name)
    const extent = fragment ? measure(fragment.selectionSet) : nothing
    known.set(name, extent)
    return extent
  }

  function measure({ selections }: SelectionSetNode): Extent {
    let depth = 0
    let fields = 0
    for (const selection of selections) {
      let inner = nothing
      if (selection.kind === Kind.FRAGMENT_SPREAD) inner = ofFragment(selection.name.value)
      else if (selection.selectionSet) inner = measure(selection.selectionSet)
      const isField = selection.kind === Kind.FIELD
      // Introspection has a limit of its own in the rules of validation.
      const below = isField && selection.name.value.startsWith('__') ? 0 : inner.depth
      depth = Math.max(depth, isField ? below + 1 : below)
      fields += inner.fields + (isField ? 1 : 0)
    }
    return { depth, fields }
  }
  return measure
}

function tooLarge(limit: string): GraphQLError {
  return new GraphQLError(`A document ${limit}.`, {
    extensions: { code: 'DOCUMENT_TOO_LARGE', http: { status: 400 } },
  })
}
