import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { choiceField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import {
  type ChosenTools,
  type ReadyTool,
  chooseTools,
  isForced,
  pastTools,
} from '../../../shared/blocks/choose-tools.ts'
import { cachePoint } from './encode-blocks.ts'
import type { ModelTraits } from './families.ts'

/** The encoded tools. */
interface EncodedTools {
  readonly toolConfig?: JsonObject
  /** Whether the model is forced to call a tool. */
  readonly forced: boolean
  /** What the prompt asks for in place of a choice that cannot be enforced. */
  readonly instruction?: string | undefined
}

/**
 * Encodes the tools and the tool choice. The API has no choice `none`: the tools are left out instead, except in a
 * conversation with calls, which accounts refuse without tools.
 */
export function encodeTools(
  request: GenerateRequest,
  { facts, caches }: ModelTraits,
  drop: RecordLoss,
): EncodedTools {
  const { tools, choice, instruction } = chooseTools(request, facts, drop)
  const encodeTool = (tool: ReadyTool) => encodeMarked(tool, caches === 'all')
  if (tools.length > 0 && choice !== 'none') {
    const toolChoice = encodeChoice(choice, tools)
    const toolConfig = { tools: tools.flatMap(encodeTool), ...(toolChoice && { toolChoice }) }
    return { toolConfig, forced: isForced(choice), instruction }
  }
  const past = pastTools(request)
  if (past.length === 0) return { forced: false }
  const reason = 'the Converse API forbids no calls in a conversation with calls; the prompt does'
  drop(request.toolChoice ? choiceField(request) : 'tools', reason)
  const offered = tools.length > 0 ? tools : past
  return {
    toolConfig: { tools: offered.flatMap(encodeTool) },
    forced: false,
    instruction: 'Answer without calling a tool.',
  }
}

function encodeMarked({ schema, cache, ...tool }: ReadyTool, takesPoints: boolean): JsonObject[] {
  const toolSpec = { ...tool, inputSchema: { json: schema } }
  return cache && takesPoints ? [{ toolSpec }, cachePoint(cache)] : [{ toolSpec }]
}

/** `undefined` for the default. */
function encodeChoice(
  choice: ChosenTools['choice'],
  [first]: readonly ReadyTool[],
): JsonObject | undefined {
  if (choice === 'tool') return { tool: { name: first?.name } }
  return choice === 'any' ? { any: {} } : undefined
}
