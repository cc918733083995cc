import { linkToNext } from '../../src/api/next-page';

const linkFrom = (url: string) => linkToNext({ request: { url } } as never, 'c');

it.each([
  ['/v1/threads', '</v1/threads?cursor=c>; rel="next"'],
  ['/v1/threads?limit=2&cursor=b', '</v1/threads?limit=2&cursor=c>; rel="next"'],
  ['/v1/threads?offset=40&limit=2', '</v1/threads?limit=2&cursor=c>; rel="next"'],
  ['/v1/claims?query=why?&limit=2', '</v1/claims?query=why%3F&limit=2&cursor=c>; rel="next"'],
])('%s goes on with all of what was asked', (url, link) => {
  expect(linkFrom(url)).toBe(link);
});
