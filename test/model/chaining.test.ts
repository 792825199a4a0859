import { walkChains } from './chaining-walk.ts'

walkChains({ runs: 12, leastSteps: 1_200 })
