import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { choiceField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool } from '../../../../../src/generate/tools.ts'
import type { DeclaredToolNames } from '../tool-names.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

const noMatch = 'the tool choice names none of the tools'

type FunctionTool = Extract<Tool, { kind: 'function' }>

/** Encodes `tools` and `toolConfig`; returns no members without tools. */
export function encodeTools(
  request: GenerateRequest,
  names: DeclaredToolNames,
  drop: RecordLoss,
): JsonObject {
  const { tools, toolChoice } = request
  const mode = toolChoice?.mode ?? 'auto'
  const only = toolChoice?.only ?? []
  const functions = tools.filter((tool) => tool.kind === 'function')
  const declared = mode === 'auto' && only.length > 0 ? selectTools(functions, only) : functions
  if (declared.length === 0) {
    if (functions.length > 0) drop(choiceField(request), noMatch)
    return {}
  }
  return {
    tools: [{ functionDeclarations: declared.map((tool) => declarationOf(tool, names)) }],
    ...(toolChoice && { toolConfig: { functionCallingConfig: callingOf(mode, only, names) } }),
  }
}

/** Returns the allowed tools. `allowedFunctionNames` works only in the mode `ANY`. */
function selectTools(tools: FunctionTool[], only: readonly string[]): FunctionTool[] {
  const allowed = new TextSet(only)
  return tools.filter(({ name }) => allowed.has(name))
}

const modes = { auto: 'AUTO', required: 'ANY', none: 'NONE' } as const

function callingOf(
  mode: keyof typeof modes,
  only: readonly string[],
  names: DeclaredToolNames,
): JsonObject {
  const isNamed = mode === 'required' && only.length > 0
  return {
    mode: modes[mode],
    ...(isNamed && { allowedFunctionNames: only.map((name) => names.toAccount(name)) }),
  }
}

function declarationOf(
  { name, description, parameters, outputSchema }: FunctionTool,
  names: DeclaredToolNames,
) {
  return {
    name: names.toAccount(name),
    ...defined({
      description,
      parametersJsonSchema: parameters,
      responseJsonSchema: outputSchema,
    }),
  }
}
