export { type Answers, isCall, matchResults } from '../../../../src/generate/match-results.ts'
