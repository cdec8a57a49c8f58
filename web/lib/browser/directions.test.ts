import { expect, test } from 'vitest'
import { directionsUrl } from './directions.ts'

const map = 'https://maps.example/?q=2130 Example Way'
const destination = '2130 Example Way, Mountain View, CA 94043'
const place = '2130%20Example%20Way%2C%20Mountain%20View%2C%20CA%2094043'

test('directions open Apple Maps on an iPhone', () => {
  expect(directionsUrl(destination, map, 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)')).toBe(
    `https://maps.apple.com/?daddr=${place}`,
  )
})

test('directions open the navigation app of an Android phone, or the map if the phone has no such app', () => {
  expect(directionsUrl(destination, map, 'Mozilla/5.0 (Linux; Android 16; Pixel 9)')).toBe(
    `intent:0,0?q=${place}#Intent;scheme=geo;S.browser_fallback_url=https%3A%2F%2Fmaps.example%2F%3Fq%3D2130%20Example%20Way;end`,
  )
})

test('directions open the map on a computer', () => {
  expect(directionsUrl(destination, map, 'Mozilla/5.0 (X11; Linux x86_64)')).toBe(map)
})
