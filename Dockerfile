# Raido with a C compiler, so that programs can be compiled to C and to C with threads:
#
#	docker build -t raido .
#	docker run --rm -v "$PWD":/work raido test program.fut
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make zlib1g-dev
COPY . /src
WORKDIR /src
RUN make clean && make -j"$(nproc)" all && make install DESTDIR=/out

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev zlib1g \
	&& rm -rf /var/lib/apt/lists/*
COPY --from=build /out/usr/local /usr/local
WORKDIR /work
ENTRYPOINT ["raido"]
