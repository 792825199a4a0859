import { type JsonObject, defined } from '../../../../src/lib/json/object.ts'
import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { servedTier, tierWordAt } from '../../../../src/kit/usage.ts'
import { objectAt, objectsIn, tokensAt } from '../../../../src/lib/json/read.ts'

/** Models whose searches cost by the prompt. */
const byPrompt = /^gemini-[12](?![0-9])/

/** An account may name any number. */
const mostSearches = 100

/**
 * The token counts of a reply. The counts of each chunk are cumulative, but a chunk may lack some of them.
 * This dialect counts thoughts apart from candidates, and the prompts of Google's tools apart from the
 * prompt.
 */
export class UsageReader {
  #prompt: number | undefined
  #toolPrompts: number | undefined
  #visible: number | undefined
  #thoughts: number | undefined
  #cached: number | undefined
  #total: number | undefined
  #tier: string | undefined
  #modal: ReturnType<typeof modalTokens> = {}
  #searches: Set<string> | undefined
  #isByPrompt = false

  /** Reads `usageMetadata` and the searches of a chunk, or of a whole reply. */
  read(chunk: JsonObject): void {
    this.#noteSearches(chunk)
    const usage = objectAt(chunk, 'usageMetadata')
    if (!usage) return
    this.#prompt = tokensAt(usage, 'promptTokenCount') ?? this.#prompt
    this.#toolPrompts = tokensAt(usage, 'toolUsePromptTokenCount') ?? this.#toolPrompts
    this.#visible = tokensAt(usage, 'candidatesTokenCount') ?? this.#visible
    this.#thoughts = tokensAt(usage, 'thoughtsTokenCount') ?? this.#thoughts
    this.#cached = tokensAt(usage, 'cachedContentTokenCount') ?? this.#cached
    this.#total = tokensAt(usage, 'totalTokenCount') ?? this.#total
    this.#tier = tierIn(usage) ?? this.#tier
    this.#modal = { ...this.#modal, ...modalTokens(usage) }
  }

  /** The searches that candidates name. Until Gemini 3, all searches of a prompt cost as one. */
  #noteSearches({ candidates, modelVersion }: JsonObject): void {
    for (const candidate of objectsIn(candidates)) {
      const grounding = objectAt(candidate, 'groundingMetadata')
      if (!grounding) continue
      const { webSearchQueries: queries } = grounding
      if (!Array.isArray(queries)) continue
      for (const query of queries) {
        if (typeof query !== 'string' || query === '') continue
        this.#searches ??= new Set()
        if (this.#searches.size < mostSearches) this.#searches.add(query)
      }
    }
    if (typeof modelVersion === 'string') this.#isByPrompt = byPrompt.test(modelVersion)
  }

  get #searchCount(): number | undefined {
    return this.#searches && (this.#isByPrompt ? 1 : this.#searches.size)
  }

  /** The neutral counts. */
  get usage(): GenerateUsage {
    const inputTokens = sum(this.#prompt, this.#toolPrompts)
    return defined({
      inputTokens,
      outputTokens: this.#output(inputTokens),
      cachedTokens: this.#cached,
      reasoningTokens: this.#thoughts,
      ...this.#modal,
      searches: this.#searchCount,
      tier: servedTier(this.#tier),
    })
  }

  /** Some counts are only part of the total; a total from an earlier chunk may be smaller than them. */
  #output(input: number | undefined): number | undefined {
    const counted = sum(this.#visible, this.#thoughts)
    const total = this.#total
    if (this.#prompt === undefined || total === undefined || total < input!) return counted
    return Math.max(counted ?? 0, total - input!)
  }
}

/** The tokens of audio and images, which a reply lists by modality. Absent: the reply lists no such tokens. */
function modalTokens(usage: object) {
  const {
    promptTokensDetails: prompt,
    toolUsePromptTokensDetails: tools,
    candidatesTokensDetails: reply,
  } = usage as Readonly<Record<string, unknown>>
  return defined({
    audioInputTokens: sum(tokensOf('AUDIO', prompt), tokensOf('AUDIO', tools)),
    imageInputTokens: sum(tokensOf('IMAGE', prompt), tokensOf('IMAGE', tools)),
    audioOutputTokens: tokensOf('AUDIO', reply),
    imageOutputTokens: tokensOf('IMAGE', reply),
  })
}

function tokensOf(modality: string, details: unknown): number | undefined {
  const counts = objectsIn(details)
    .filter((detail) => detail.modality === modality)
    .map((detail) => tokensAt(detail, 'tokenCount'))
  return counts.reduce(sum, undefined) || undefined
}

/** The name of the service tier: Vertex AI has another member for traffic that is paid in advance. */
function tierIn(usage: object): string | undefined {
  const words = [tierWordAt(usage, 'serviceTier'), tierWordAt(usage, 'trafficType')]
  return words.find((word) => servedTier(word) !== undefined) ?? words[0] ?? words[1]
}

/** Adds the known counts; returns `undefined` if the first one is unknown and the other too. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0)
}

/** Writes the known counts as `usageMetadata`; returns `undefined` if none is known. */
export function writeUsage(usage: GenerateUsage): JsonObject | undefined {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const isWhole = inputTokens !== undefined && outputTokens !== undefined
  return defined({
    promptTokenCount: inputTokens,
    candidatesTokenCount:
      outputTokens === undefined ? undefined : Math.max(0, outputTokens - (reasoningTokens ?? 0)),
    thoughtsTokenCount: reasoningTokens,
    cachedContentTokenCount: cachedTokens,
    totalTokenCount: isWhole ? inputTokens + outputTokens : undefined,
  })
}
