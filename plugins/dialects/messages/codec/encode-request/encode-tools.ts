import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import {
  type ChosenTools,
  type ReadyTool,
  chooseTools,
  isForced,
  pastTools,
} from '../../../shared/blocks/choose-tools.ts'
import type { ModelFacts } from '../../../shared/blocks/models.ts'

/** The encoded tools. */
interface EncodedTools {
  /** The members of the request body. */
  readonly members: JsonObject
  /** Whether the account forces the model to call a tool. */
  readonly forced: boolean
  /** An instruction to call a tool, for a model that cannot be forced. */
  readonly instruction?: string | undefined
}

/** Encodes the tools and the tool choice. Accounts accept a choice only together with tools. */
export function encodeTools(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: RecordLoss,
): EncodedTools {
  const { tools, choice, instruction } = chooseTools(request, facts, drop)
  if (tools.length === 0) return { members: encodePastTools(request), forced: false }
  const isSequential = request.parallelToolCalls === false && choice !== 'none'
  const hasChoice = request.toolChoice !== undefined || isSequential
  return {
    members: {
      tools: tools.map(encodeTool),
      ...(hasChoice && {
        tool_choice: {
          ...encodeChoice(choice, tools),
          ...(isSequential && { disable_parallel_tool_use: true }),
        },
      }),
    },
    forced: isForced(choice),
    instruction,
  }
}

function encodeTool({ schema, ...tool }: ReadyTool): JsonObject {
  return { ...tool, input_schema: schema }
}

function encodeChoice(choice: ChosenTools['choice'], [first]: readonly ReadyTool[]): JsonObject {
  return choice === 'tool' ? { type: choice, name: first?.name } : { type: choice }
}

/** Declares the tools of earlier calls. The choice `none` prevents the model from calling them. */
function encodePastTools(request: GenerateRequest): JsonObject {
  const tools = pastTools(request)
  return tools.length === 0 ? {} : { tools: tools.map(encodeTool), tool_choice: { type: 'none' } }
}
