import { anything, boolean, choice, list, object, string } from '../shape.ts'

const functionDeclaration = object({
  required: { name: string({ pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/ }) },
  optional: {
    description: string(),
    parameters: object({ open: true }),
    parametersJsonSchema: object({ open: true }),
    response: anything,
    responseJsonSchema: anything,
    behavior: string(),
  },
})

/** An entry of `tools`: functions of the user, or one of Google's own tools. */
export const generateTool = object({
  optional: {
    functionDeclarations: list(functionDeclaration),
    codeExecution: anything,
    computerUse: anything,
    enterpriseWebSearch: anything,
    exaAiSearch: anything,
    fileSearch: anything,
    googleMaps: anything,
    googleSearch: anything,
    googleSearchRetrieval: anything,
    mcpServers: anything,
    parallelAiSearch: anything,
    retrieval: anything,
    urlContext: anything,
  },
})

/** `toolConfig`: whether and which functions the model may call. */
export const toolConfig = object({
  optional: {
    functionCallingConfig: object({
      optional: {
        mode: choice('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'),
        allowedFunctionNames: list(string()),
        streamFunctionCallArguments: boolean,
      },
    }),
    retrievalConfig: anything,
    includeServerSideToolInvocations: boolean,
  },
})
