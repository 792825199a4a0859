import { walkChains } from './chaining-walk.ts'

walkChains({ runs: 6, leastSteps: 600 })
