import type { Rule, Rules } from './notes.ts'

const hosted: Rule = ['native', 'only the Gemini API runs this tool']
const label: Rule = ['silent', 'a label that the model does not read']

/** The fields of a content. */
export const contentRules: Rules = { role: false, parts: false }

/** The fields of a part. */
export const partRules: Rules = {
  text: false,
  inlineData: false,
  fileData: false,
  functionCall: false,
  functionResponse: false,
  thought: false,
  thoughtSignature: false,
  executableCode: hosted,
  codeExecutionResult: hosted,
  toolCall: hosted,
  toolResponse: hosted,
  audioTranscription: hosted,
  videoMetadata: ['warn', 'only the Gemini API supports videos'],
  mediaResolution: ['warn', 'only the Gemini API has a resolution of media'],
  mediaProcessing: ['silent', 'it concerns videos only'],
  partMetadata: label,
  speechMetadata: ['silent', 'it concerns spoken answers only'],
}

/** The fields of a function call. */
export const callRules: Rules = {
  id: false,
  name: false,
  args: false,
  partialArgs: false,
  willContinue: false,
}

/** The fields of a part of a function response. */
export const responsePartRules: Rules = { inlineData: false, fileData: false }

/** The fields that make up a part's content: each part has one of them. */
export const partKinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'audioTranscription',
]
